import unittest

from harbour.refunds import average_refund, refund


class RefundTest(unittest.TestCase):
    def test_operator_cancels(self):
        self.assertEqual(refund(4200, True), 4200)

    def test_customer_cancels(self):
        self.assertEqual(refund(4200, False), 3700)

    def test_fee_is_never_more_than_the_price(self):
        self.assertEqual(refund(300, False), 0)

    def test_average(self):
        self.assertEqual(average_refund([4200, 3700]), 3950)


if __name__ == "__main__":
    unittest.main()
