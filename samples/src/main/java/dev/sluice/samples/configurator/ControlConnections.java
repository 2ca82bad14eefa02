package dev.sluice.samples.configurator;

/** How many control connections are open. For one thread. */
final class ControlConnections {

    /** More than anybody needs, and few enough to cost nothing. */
    static final int MOST = 16;

    private int count;

    /** Tells whether there may be one more; then there is. */
    boolean enter() {
        if (count == MOST) {
            return false;
        }
        count++;
        return true;
    }

    void leave() {
        count--;
    }
}
