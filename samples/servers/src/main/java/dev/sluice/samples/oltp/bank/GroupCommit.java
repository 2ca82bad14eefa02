package dev.sluice.samples.oltp.bank;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets the deposits of several threads share a transaction. The first thread that finds the ledger free posts for all
 * that wait; those that come meanwhile make up the next group.
 */
final class GroupCommit {

    /** One thread's deposits, and where it waits for them. */
    private static final class Slip {
        private final List<Deposit> deposits;
        private final Condition mayPost;
        private boolean posted;

        Slip(List<Deposit> deposits, Condition mayPost) {
            this.deposits = deposits;
            this.mayPost = mayPost;
        }
    }

    // Not a monitor: before Java 24 that would pin the carriers of virtual threads that wait.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private final Ledger ledger;
    private List<Slip> waiting = new ArrayList<>();
    private boolean posting;
    private boolean closed;

    GroupCommit(Ledger ledger) {
        this.ledger = ledger;
    }

    /**
     * Posts the deposits, with those of others. When it returns each of them is made and durable, or refused, or has
     * failed.
     */
    void post(List<Deposit> deposits) {
        Slip own = new Slip(deposits, lock.newCondition());
        List<Slip> group;
        boolean refuse;
        lock.lock();
        try {
            waiting.add(own);
            while (posting && !own.posted) {
                own.mayPost.awaitUninterruptibly();
            }
            if (own.posted) {
                return;
            }
            group = waiting;
            waiting = new ArrayList<>();
            posting = true;
            refuse = closed;
        } finally {
            lock.unlock();
        }
        boolean known = false;
        try {
            List<List<Deposit>> all = group.stream().map(slip -> slip.deposits).toList();
            if (refuse) {
                all.forEach(each -> each.forEach(deposit -> deposit.fail("the bank is closed")));
            } else {
                ledger.post(all);
            }
            known = true;
        } finally {
            if (!known) {
                fail(group);
            }
            finished(group);
        }
    }

    /** Whatever the deposits say: others of the group may take one for made. Allocates nothing, as memory may lack. */
    private static void fail(List<Slip> group) {
        for (int i = 0; i < group.size(); i++) {
            List<Deposit> deposits = group.get(i).deposits;
            for (int k = 0; k < deposits.size(); k++) {
                deposits.get(k).fail("the bank failed");
            }
        }
    }

    private void finished(List<Slip> group) {
        lock.lock();
        try {
            posting = false;
            for (Slip slip : group) {
                slip.posted = true;
                slip.mayPost.signal();
            }
            if (waiting.isEmpty()) {
                idle.signalAll();
            } else {
                waiting.get(0).mayPost.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for what is being posted; from now on all is refused, and the ledger left alone. */
    void close() {
        lock.lock();
        try {
            closed = true;
            while (posting || !waiting.isEmpty()) {
                idle.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }
}
