package dev.sluice.connection;

import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * By the processor on which the kernel handles a connection's packets ({@code SO_INCOMING_CPU}, socket(7)): those of
 * one processor go to the same loop. With as many loops as processors, each running on its own and all in the order of
 * the processors' numbers, what the kernel has just received is in that loop's cache. Only Linux tells the processor;
 * elsewhere, and for Unix domain sockets, the loops take turns, which is logged once.
 */
public final class IncomingCpuDistribution implements Distribution {

    private static final Logger LOG = LoggerFactory.getLogger(IncomingCpuDistribution.class);

    private static final int UNKNOWN = -1;

    private final Distribution otherwise = new RoundRobinDistribution();
    private boolean told;

    /** Knows of no connections yet. */
    public IncomingCpuDistribution() {
    }

    @Override
    public int choose(SocketStream connection, List<? extends Executor> loops) {
        int processor = processor(connection);
        return processor < 0 ? otherwise.choose(connection, loops) : processor % loops.size();
    }

    private int processor(SocketStream connection) {
        try {
            int processor = connection.getOption(NativeSocketOptions.SO_INCOMING_CPU);
            if (processor < 0) {
                tell("the system does not say which processor handles " + connection);
            }
            return processor;
        } catch (IOException e) {
            tell(e.getMessage());
            return UNKNOWN;
        }
    }

    private void tell(String reason) {
        if (!told) {
            told = true;
            LOG.warn("connections are handed out in turn, not by their processors: {}", reason);
        }
    }
}
