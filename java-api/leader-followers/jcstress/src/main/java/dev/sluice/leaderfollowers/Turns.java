package dev.sluice.leaderfollowers;

import dev.sluice.jcstress.Bystanders;
import dev.sluice.jcstress.WaitLimit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

/** A pool whose events are counted by the threads that dispatch them. */
final class Turns {

    /** What a thread has that was still there at the end of its limit, with no event or too late. */
    private static final int STUCK = -100;
    private static final int MAX_EVENTS = 4;

    private final BlockingQueue<Object> events = new ArrayBlockingQueue<>(MAX_EVENTS);
    private final ThreadLocal<int[]> dispatched = ThreadLocal.withInitial(() -> new int[1]);
    private final MultipleLeadersPool pool;
    private final List<Future<Integer>> bystanders = new ArrayList<>();

    /**
     * Begins; any order of promotion will do, so each is tried.
     *
     * @param count  of events that there are already
     * @param others bystanders that stay until each has dispatched one
     */
    Turns(int count, int others) {
        PromotionOrder[] orders = PromotionOrder.values();
        pool = new MultipleLeadersPool(orders[ThreadLocalRandom.current().nextInt(orders.length)],
                List.of(new ExclusiveSource(new QueueSource<>(events, event -> dispatch()))));
        for (int i = 0; i < count; i++) {
            arrive();
        }
        for (int i = 0; i < others; i++) {
            bystanders.add(Bystanders.begin(this::stay));
        }
    }

    MultipleLeadersPool pool() {
        return pool;
    }

    void arrive() {
        events.add(this);
    }

    private void dispatch() {
        dispatched.get()[0]++;
        // Makes the caller leave the pool instead of waiting for another event.
        pool.remove(Thread.currentThread());
    }

    /** {@return the number of events that the caller has dispatched, one at most, without waiting for any} */
    int look() {
        return stayFor(Duration.ZERO);
    }

    /** {@return the number of events that the caller has dispatched: one, or none within the time} */
    int stayFor(Duration time) {
        try {
            pool.join(time);
            return dispatched.get()[0];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            dispatched.remove();
        }
    }

    /** {@return the number of events that the caller has dispatched: one, or none because it was removed} */
    int stay() {
        long limit = WaitLimit.nanos();
        long begin = System.nanoTime();
        int count = stayFor(Duration.ofNanos(limit));
        if (System.nanoTime() - begin < limit) {
            return count;
        }
        WaitLimit.reached();
        return STUCK;
    }

    /** {@return the number of events that the bystanders have dispatched, when they are done} */
    int bystanders() {
        int count = 0;
        for (Future<Integer> each : bystanders) {
            count += Bystanders.result(each);
        }
        return count;
    }

    /** {@return the number of events that were left over, for a caller that is alone} */
    int drain() {
        int count = 0;
        while (look() == 1) {
            count++;
        }
        pool.close();
        return count;
    }
}
