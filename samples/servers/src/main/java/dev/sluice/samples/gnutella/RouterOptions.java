package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.RouterEvent.Arrival;
import dev.sluice.samples.gnutella.message.MessageType;
import dev.sluice.stages.Admission;
import dev.sluice.stages.Credits;
import dev.sluice.stages.RandomEarlyDetection;
import dev.sluice.stages.StageOptions;
import dev.sluice.stages.ThreadPoolController;

/** How the router stage is to be: its queue, its threads, and what gets in. */
final class RouterOptions {

    /** The most messages in the queue that are longer than they should be: together 4 MiB. */
    static final int MAX_LARGE = 64;

    /** The thread pool controller looks once in two ticks. */
    private static final int TICKS_PER_LOOK = 2;
    /** How many credits a message costs that only has to be sent. */
    private static final int COST = 1;
    /** How many a query costs: it is what routers are overloaded by. */
    private static final int QUERY_COST = 10;

    private RouterOptions() {
    }

    static StageOptions<RouterEvent> of(Settings settings) {
        int queue = settings.queue();
        StageOptions<RouterEvent> options = new StageOptions<RouterEvent>().capacity(queue)
                .ownThreads(1, settings.threads())
                .admission(new Credits<>(MAX_LARGE, RouterOptions::largeCost));
        if (settings.threads() > 1) {
            options.control(new ThreadPoolController().threads(1, settings.threads())
                    .period(settings.interval().multipliedBy(TICKS_PER_LOOK)));
        }
        if (settings.timed()) {
            options.recordResponseTimes();
        }
        switch (settings.policy()) {
            case RED -> options.admission(new MessagesOnly(new RandomEarlyDetection<>(queue / 4, queue)));
            case CREDITS -> options.admission(new Credits<>(queue, RouterOptions::cost));
            default -> { }
        }
        return options;
    }

    private static int largeCost(RouterEvent event) {
        return event instanceof Arrival arrival && arrival.message().length() > MessageType.USUAL ? 1 : 0;
    }

    private static int cost(RouterEvent event) {
        if (event instanceof Arrival arrival) {
            return arrival.isQuery() ? QUERY_COST : COST;
        }
        return 0;
    }

    /** Applies an admission to messages alone: the end of a peer must not be dropped by chance. */
    private record MessagesOnly(Admission<RouterEvent> admission) implements Admission<RouterEvent> {

        @Override
        public boolean admit(RouterEvent event, int length) {
            return !(event instanceof Arrival) || admission.admit(event, length);
        }
    }
}
