"""The people who may enter: their accounts, what each may do, inviting them and letting them go."""
