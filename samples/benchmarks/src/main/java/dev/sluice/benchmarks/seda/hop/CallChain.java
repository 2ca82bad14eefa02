package dev.sluice.benchmarks.seda.hop;

/** A program without stages: each method calls the next. */
final class CallChain implements Chain {

    private final Link first;

    /** A module that knows the next one. */
    private record Link(Link next, Arrivals arrivals) {

        void handle(HopEvent event) {
            event.handle();
            if (next == null) {
                arrivals.arrive(event);
            } else {
                next.handle(event);
            }
        }
    }

    CallChain(int stages, Arrivals arrivals) {
        Link link = new Link(null, arrivals);
        for (int i = 1; i < stages; i++) {
            link = new Link(link, arrivals);
        }
        first = link;
    }

    @Override
    public void enqueue(HopEvent event) {
        first.handle(event);
    }

    @Override
    public void close() {
        // It has no threads.
    }
}
