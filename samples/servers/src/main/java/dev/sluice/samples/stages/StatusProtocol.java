package dev.sluice.samples.stages;

import dev.sluice.samples.io.AccessLog;
import dev.sluice.samples.io.Protocol;
import dev.sluice.samples.io.Timeouts;
import dev.sluice.samples.web.protocol.BusyReply;
import dev.sluice.samples.web.protocol.HttpClock;
import dev.sluice.samples.web.protocol.Method;
import dev.sluice.samples.web.protocol.Pipeline;
import dev.sluice.samples.web.protocol.Status;
import dev.sluice.stages.StageGraph;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/** HTTP with nothing behind it but the page about the stages. */
final class StatusProtocol implements Protocol {

    private static final Timeouts TIMEOUTS =
            new Timeouts(Duration.ofSeconds(30).toNanos(), Duration.ofSeconds(10).toNanos());

    private final Pipeline pipeline;

    StatusProtocol(StageGraph graph, Map<String, DoubleSupplier> means) {
        pipeline = new Pipeline(new HttpClock(Clock.systemUTC()), new StagesHandler(graph, means, (request, reply) ->
                reply.answer(request.method() == Method.UNKNOWN ? Status.NOT_IMPLEMENTED : Status.NOT_FOUND)),
                List.of());
    }

    @Override
    public String name() {
        return "status";
    }

    @Override
    public byte[] refusal() {
        return BusyReply.octets();
    }

    @Override
    public Timeouts timeouts() {
        return TIMEOUTS;
    }

    @Override
    public ProtocolHandlers handlers(AccessLog.Lines log) {
        return (peer, client) -> new StatusConnection(pipeline, TIMEOUTS);
    }
}
