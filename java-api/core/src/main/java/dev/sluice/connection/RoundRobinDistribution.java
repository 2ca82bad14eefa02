package dev.sluice.connection;

import dev.sluice.handle.SocketStream;
import java.util.List;
import java.util.concurrent.Executor;

/** To one loop after the other. */
final class RoundRobinDistribution implements Distribution {

    private int next;

    @Override
    public int choose(SocketStream connection, List<? extends Executor> loops) {
        int chosen = next < loops.size() ? next : 0;
        next = chosen + 1;
        return chosen;
    }
}
