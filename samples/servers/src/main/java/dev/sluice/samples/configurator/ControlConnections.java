package dev.sluice.samples.configurator;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The open control connections. A new one closes the oldest if there are too many, so that idle clients do not keep
 * others out. For one thread.
 */
final class ControlConnections {

    /** The maximum number of open connections: more than are needed, and few enough to cost nothing. */
    static final int MAX_OPEN = 16;

    private final Set<ControlConnection> open = new LinkedHashSet<>();

    void enter(ControlConnection connection) {
        if (open.size() == MAX_OPEN) {
            open.iterator().next().close();
        }
        open.add(connection);
    }

    void leave(ControlConnection connection) {
        open.remove(connection);
    }
}
