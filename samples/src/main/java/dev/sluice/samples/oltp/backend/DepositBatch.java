package dev.sluice.samples.oltp.backend;

import dev.sluice.samples.oltp.bank.Bank;
import dev.sluice.samples.oltp.bank.Deposit;
import dev.sluice.samples.oltp.resp.ReplyBuffer;
import java.util.ArrayList;
import java.util.List;

/** Deposits of one connection that came one right after the other. Reused; not thread-safe. */
final class DepositBatch {

    private final List<Deposit> deposits = new ArrayList<>();
    private int count;

    /** {@return one more deposit, to be set} */
    Deposit next() {
        if (count == deposits.size()) {
            deposits.add(new Deposit());
        }
        return deposits.get(count++);
    }

    int size() {
        return count;
    }

    /** Makes them all, and answers. */
    void make(Bank bank, ReplyBuffer replies) {
        if (count == 0) {
            return;
        }
        List<Deposit> all = deposits.subList(0, count);
        count = 0;
        bank.deposit(all);
        for (Deposit deposit : all) {
            switch (deposit.outcome()) {
                case MADE -> replies.integer(deposit.balance());
                case REFUSED -> replies.error("ERR " + deposit.problem());
                case FAILED -> replies.error("FAIL " + deposit.problem());
            }
        }
    }
}
