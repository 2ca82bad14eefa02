package dev.sluice.connection;

import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.SocketStream;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * To the loop with the fewest open connections of this acceptor, in turn among several such. Where some connections
 * last much longer than others, turns alone would let them pile up on one loop.
 */
public final class LeastLoadedDistribution implements Distribution {

    private final Map<Executor, AtomicInteger> connections = new IdentityHashMap<>();
    private int next;

    /** Knows of no connections yet. */
    public LeastLoadedDistribution() {
    }

    @Override
    public int choose(SocketStream connection, List<? extends Executor> loops) {
        if (connections.size() > loops.size()) {
            connections.keySet().retainAll(loops);
        }
        int first = next < loops.size() ? next : 0;
        int chosen = first;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < loops.size(); i++) {
            int index = (first + i) % loops.size();
            int load = load(loops.get(index)).get();
            if (load < least) {
                least = load;
                chosen = index;
            }
        }
        next = chosen + 1;
        count(connection, load(loops.get(chosen)));
        return chosen;
    }

    private AtomicInteger load(Executor loop) {
        return connections.computeIfAbsent(loop, none -> new AtomicInteger());
    }

    /** Counts a connection until it is closed, by whatever thread. */
    private static void count(SocketStream connection, AtomicInteger load) {
        try {
            connection.handle().addCloseListener(closing -> load.decrementAndGet());
            load.incrementAndGet();
        } catch (HandleClosedException e) {
            // It is no load any more.
        }
    }
}
