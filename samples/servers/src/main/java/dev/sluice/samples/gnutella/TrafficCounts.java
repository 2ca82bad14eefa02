package dev.sluice.samples.gnutella;

import dev.sluice.samples.gnutella.message.MessageType;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;

/** Counts messages and connections by outcome; used by all stages concurrently. */
final class TrafficCounts {

    /** Messages whose headers have been received. */
    final LongAdder received = new LongAdder();
    /** Messages given to neighbours; a broadcast counts once for each. */
    final LongAdder sent = new LongAdder();
    /** Messages that were handled and not forwarded, because of their TTL. */
    final LongAdder spent = new LongAdder();
    /** Messages that were for this router itself. */
    final LongAdder own = new LongAdder();
    /** Connections that became neighbours. */
    final LongAdder neighbours = new LongAdder();
    /** Connections that did not, by their fault or ours. */
    final LongAdder refused = new LongAdder();
    private final Map<DropReason, LongAdder> dropped = new EnumMap<>(DropReason.class);
    private final Map<ByeReason, LongAdder> closed = new EnumMap<>(ByeReason.class);
    private final ServiceTimes pings = new ServiceTimes();
    private final ServiceTimes queries = new ServiceTimes();

    /** All zero. */
    TrafficCounts() {
        for (DropReason reason : DropReason.values()) {
            dropped.put(reason, new LongAdder());
        }
        for (ByeReason farewell : ByeReason.values()) {
            closed.put(farewell, new LongAdder());
        }
    }

    void drop(DropReason reason) {
        dropped.get(reason).increment();
    }

    long dropped(DropReason reason) {
        return dropped.get(reason).sum();
    }

    /** Notes how long the router took for a message, in nanoseconds. */
    void served(MessageType type, long nanos) {
        if (type == MessageType.PING) {
            pings.add(nanos);
        } else if (type == MessageType.QUERY) {
            queries.add(nanos);
        }
    }

    ServiceTimes pings() {
        return pings;
    }

    ServiceTimes queries() {
        return queries;
    }

    /** {@return the mean service times of pings and of queries, in milliseconds, by the names that the page shows} */
    Map<String, DoubleSupplier> means() {
        Map<String, DoubleSupplier> means = new LinkedHashMap<>();
        means.put("ping service time", pings::mean);
        means.put("query service time", queries::mean);
        return means;
    }

    void close(ByeReason farewell) {
        closed.get(farewell).increment();
    }

    long closed(ByeReason farewell) {
        return closed.get(farewell).sum();
    }

    /**
     * {@return for example {@code 9 messages received, 20 sent, 1 spent, 0 for itself, dropped: 2 duplicates; 3
     * neighbours, 1 refused, closed: 1 out of step}}
     */
    @Override
    public String toString() {
        return received + " messages received, " + sent + " sent, " + spent + " spent, " + own
                + " for itself, dropped: " + nonZero(dropped) + "; " + neighbours + " neighbours, " + refused
                + " refused, closed: " + nonZero(closed)
                + (pings.count() + queries.count() == 0 ? "" : "; service: pings " + pings + ", queries " + queries);
    }

    private static String nonZero(Map<?, LongAdder> counts) {
        StringJoiner list = new StringJoiner(", ").setEmptyValue("none");
        counts.forEach((what, count) -> {
            if (count.sum() > 0) {
                list.add(count + " " + what);
            }
        });
        return list.toString();
    }
}
