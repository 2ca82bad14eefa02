package dev.sluice.samples.oltp.pool;

import java.util.LinkedHashMap;
import java.util.Map;

/** What the threads of a server are doing, for whoever asks. */
@FunctionalInterface
public interface PoolStates {

    /** {@return a few figures by name, in order; from any thread, at a glance and not at one moment} */
    Map<String, Object> states();

    /** {@return the figures of a model of whose threads there is no more to tell than their number, to be added to} */
    static Map<String, Object> threads(int count) {
        Map<String, Object> states = new LinkedHashMap<>();
        states.put("pool_threads", count);
        return states;
    }
}
