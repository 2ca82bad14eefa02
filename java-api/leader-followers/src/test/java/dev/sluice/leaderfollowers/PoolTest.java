package dev.sluice.leaderfollowers;

import dev.sluice.eventloop.OtherThread;
import dev.sluice.handle.LeakChecked;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;

/** A test that ends, and fails, also if the pools that it has opened do not. */
abstract class PoolTest extends LeakChecked {

    private static volatile AssertionError stuck;

    /** Where one does not end, many will not, and a run that has failed should not take an hour to say so. */
    @BeforeEach
    final void checkThatEarlierPoolsHaveEnded() {
        if (stuck != null) {
            throw new AssertionError("not run, because of a pool of an earlier test", stuck);
        }
    }

    /** {@return what it was given, and closes it after the test} */
    final <P extends MultipleLeadersPool> P ownPool(P pool) {
        own(() -> close(pool));
        return pool;
    }

    /** In another thread, which has a limit: a pool that has lost a leadership keeps its closer forever. */
    static void close(MultipleLeadersPool pool) throws Exception {
        try {
            OtherThread.run(pool::close);
        } catch (TimeoutException e) {
            stuck = new AssertionError("does not end: " + pool, e);
            throw stuck;
        }
    }
}
