package dev.sluice.samples.oltp.backend;

import dev.sluice.samples.oltp.bank.Bank;
import dev.sluice.samples.oltp.bank.Deposit;
import dev.sluice.samples.oltp.command.CommandService;
import dev.sluice.samples.oltp.resp.ReplyBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Deposits of one connection that came together. Reused; not thread-safe. */
final class DepositBatch {

    private static final int FIRST_CAPACITY = 16;

    private final List<Deposit> deposits = new ArrayList<>();
    private long[] tags = new long[FIRST_CAPACITY];
    private int count;

    /** {@return one more deposit, to be set} */
    Deposit next(long tag) {
        if (count == deposits.size()) {
            deposits.add(new Deposit());
            tags = count < tags.length ? tags : Arrays.copyOf(tags, 2 * count);
        }
        tags[count] = tag;
        return deposits.get(count++);
    }

    int size() {
        return count;
    }

    /** Makes them all, and answers. */
    void make(Bank bank, ReplyBuffer replies) {
        List<Deposit> all = deposits.subList(0, count);
        bank.deposit(all);
        for (int i = 0; i < count; i++) {
            if (tags[i] != CommandService.NO_TAG) {
                CommandService.beginTagged(tags[i], replies);
            }
            answer(deposits.get(i), replies);
        }
        count = 0;
    }

    private static void answer(Deposit deposit, ReplyBuffer replies) {
        switch (deposit.outcome()) {
            case MADE -> replies.integer(deposit.balance());
            case REFUSED -> replies.error("ERR " + deposit.problem());
            case FAILED -> replies.error("FAIL " + deposit.problem());
        }
    }
}
