package dev.sluice.connection;

import dev.sluice.handle.SocketStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** The open ones of the loops that an acceptor hands its connections out to. Used by one thread at a time. */
final class Targets<L extends Executor> {

    private final List<L> open;
    private final List<L> shown;
    private final Distribution distribution;
    private RejectedExecutionException lastRefusal;

    Targets(List<? extends L> loops, Distribution distribution) {
        this.open = new ArrayList<>(List.copyOf(loops));
        this.shown = Collections.unmodifiableList(open);
        this.distribution = Objects.requireNonNull(distribution, "distribution");
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    /** {@return the loop that should serve a connection; there must be one} */
    L choose(SocketStream connection) {
        return open.get(distribution.choose(connection, shown));
    }

    /** Leaves out a loop that has been closed, perhaps because it has failed: it will not come back. */
    void remove(L closed, RejectedExecutionException refusal) {
        open.remove(closed);
        lastRefusal = refusal;
    }

    /** {@return what the last of those that have been removed said} */
    RejectedExecutionException lastRefusal() {
        return lastRefusal;
    }
}
