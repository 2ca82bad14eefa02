package dev.sluice.benchmarks.seda.hop;

/** What a Disruptor's ring has for each place, as long as it lives. */
final class RingPlace {

    private HopEvent event;

    void put(HopEvent next) {
        event = next;
    }

    HopEvent event() {
        return event;
    }
}
