package dev.sluice.samples.oltp.pool;

import dev.sluice.handle.Handle;
import dev.sluice.leaderfollowers.LeaderFollowersPool;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Limits how many connections a thread serves at once. A thread whose service waits in its pool may have to dispatch
 * another connection meanwhile, and wait for that one's sake too; each such level delays those below it, and takes room
 * on the stack. Connections beyond the limit wait until a thread has come back from a level.
 */
final class Nesting {

    private static final int DEEPEST = 4;

    private final LeaderFollowersPool pool;
    private final Queue<Handle> postponed = new ConcurrentLinkedQueue<>();
    private final ThreadLocal<int[]> depth = ThreadLocal.withInitial(() -> new int[1]);

    Nesting(LeaderFollowersPool pool) {
        this.pool = pool;
    }

    /**
     * Begins to serve a connection, or postpones it: its handle is silent then until there is a thread for it. Called in
     * its hook.
     *
     * @return whether it is to be served now, and {@link #end} to be called
     */
    boolean begin(Handle handle) {
        int[] mine = depth.get();
        if (mine[0] < DEEPEST) {
            mine[0]++;
            return true;
        }
        pool.deactivateHandle(handle);
        // The caller has levels to come back from, so somebody will look into the queue.
        postponed.add(handle);
        return false;
    }

    void end() {
        int left = --depth.get()[0];
        for (int room = left == 0 ? DEEPEST : 1; room > 0; room--) {
            Handle next = postponed.poll();
            if (next == null) {
                return;
            }
            pool.reactivateHandle(next);
        }
    }
}
