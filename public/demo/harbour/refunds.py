"""What a customer gets back."""

FEE = 500


def refund(paid, cancelled_by_operator):
    """Everything if the operator cancelled, else what was paid less the fee."""
    if cancelled_by_operator:
        return paid
    return max(0, paid - FEE)


def average_refund(refunds):
    """Of one sailing, for the page of the crew."""
    return sum(refunds) // len(refunds)
