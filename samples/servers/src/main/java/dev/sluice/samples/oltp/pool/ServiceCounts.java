package dev.sluice.samples.oltp.pool;

import dev.sluice.samples.oltp.resp.ReplyBuffer;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts what the services of a server do, in whatever threads. For any thread. */
final class ServiceCounts {

    private final LongAdder connections = new LongAdder();
    private final LongAdder begun = new LongAdder();
    private final LongAdder ended = new LongAdder();

    /** {@return the service of a new connection, which is counted from now on} */
    Service counted(Service service) {
        connections.increment();
        return new Counted(service);
    }

    Map<String, Object> states() {
        // First, or one that begins and ends in between would make the difference negative.
        long quanta = ended.sum();
        Map<String, Object> states = new LinkedHashMap<>();
        states.put("pool_busy", begun.sum() - quanta);
        states.put("pool_turns", quanta);
        states.put("total_connections_received", connections.sum());
        return states;
    }

    private final class Counted implements Service {

        private final Service service;

        Counted(Service service) {
            this.service = service;
        }

        @Override
        public void serve(ByteBuffer received, Quantum quantum, ReplyBuffer replies) {
            begun.increment();
            try {
                service.serve(received, quantum, replies);
            } finally {
                ended.increment();
            }
        }

        @Override
        public boolean isOver() {
            return service.isOver();
        }
    }
}
