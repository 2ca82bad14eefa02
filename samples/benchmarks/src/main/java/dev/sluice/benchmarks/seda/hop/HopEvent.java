package dev.sluice.benchmarks.seda.hop;

/** An event that is used again and again. It counts the stages that have handled it. */
final class HopEvent {

    private final int number;
    private int hops;

    HopEvent(int number) {
        this.number = number;
    }

    /** {@return its place among those that are sent together} */
    int number() {
        return number;
    }

    /** A stage handles it: all that it does, so that what remains is the way from stage to stage. */
    void handle() {
        hops++;
    }

    /** {@return the number of stages that have handled it since the last call} */
    int takeHops() {
        int taken = hops;
        hops = 0;
        return taken;
    }
}
