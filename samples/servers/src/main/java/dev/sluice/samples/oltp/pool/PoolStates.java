package dev.sluice.samples.oltp.pool;

import java.util.Map;

/** The states of a server's threads. */
@FunctionalInterface
public interface PoolStates {

    /** {@return a few figures by name, in order; from any thread, at a glance and not at one moment} */
    Map<String, Object> states();
}
