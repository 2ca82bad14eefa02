package dev.sluice.benchmarks.waiting;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Counts what waits have reported. */
@AuxCounters(AuxCounters.Type.OPERATIONS)
@State(Scope.Thread)
public class ReadyEvents {

    /** The name of the counter. */
    static final String COUNTER = "reported";

    /** How many. */
    public long reported;

    /** For JMH. */
    public ReadyEvents() {
    }
}
