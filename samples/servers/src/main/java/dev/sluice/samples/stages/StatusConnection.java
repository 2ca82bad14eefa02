package dev.sluice.samples.stages;

import dev.sluice.samples.io.FileIo;
import dev.sluice.samples.io.FileTraffic;
import dev.sluice.samples.io.FileWays;
import dev.sluice.samples.io.ProtocolHandler;
import dev.sluice.samples.io.Timeouts;
import dev.sluice.samples.io.TransferFilters;
import dev.sluice.samples.web.protocol.Limits;
import dev.sluice.samples.web.protocol.Pipeline;
import dev.sluice.samples.web.protocol.Reply;
import dev.sluice.samples.web.protocol.RequestParser;
import dev.sluice.samples.web.protocol.Status;
import java.nio.ByteBuffer;

/** One connection to the status page. Each reply is sent before the next one is made, in the order of requests. */
final class StatusConnection extends ProtocolHandler {

    private final Pipeline pipeline;
    private final RequestParser parser = new RequestParser(Limits.DEFAULT);
    private final Reply reply;
    private long requestDeadline;

    StatusConnection(Pipeline pipeline, Timeouts timeouts) {
        this(pipeline, timeouts, new Reply());
    }

    private StatusConnection(Pipeline pipeline, Timeouts timeouts, Reply reply) {
        super(timeouts, new FileTraffic(FileWays.of(FileIo.READ)), TransferFilters.NONE, reply);
        this.pipeline = pipeline;
        this.reply = reply;
    }

    @Override
    public String requestLine() {
        return parser.request().line();
    }

    @Override
    public int outcome() {
        return reply.status() == null ? 0 : reply.status().code();
    }

    @Override
    protected void take(ByteBuffer in) {
        if (!parser.isInsideRequest()) {
            requestDeadline = System.nanoTime() + timeouts().request();
        }
        switch (parser.parse(in)) {
            case MORE -> {
                if (parser.isInsideRequest()) {
                    receiveUntil(requestDeadline);
                }
            }
            case CONTINUE -> {
                reply.continueRequest();
                startSending();
            }
            case COMPLETE -> {
                pipeline.respond(parser.request(), reply);
                startSending();
            }
            case REFUSED -> refuse(parser.refusal());
        }
    }

    private void refuse(Status why) {
        pipeline.refuse(why, parser.request(), reply);
        startSending();
    }

    @Override
    protected void messageSent() {
        boolean interim = reply.status() == null;
        boolean persistent = reply.isPersistent();
        endMessage();
        if (interim) {
            receiveUntil(requestDeadline);
        } else if (persistent) {
            receive(timeouts().idle());
        } else {
            endOutput();
        }
    }

    @Override
    protected boolean refuseLate() {
        if (!parser.isInsideRequest()) {
            return false;
        }
        refuse(Status.REQUEST_TIMEOUT);
        return true;
    }

    @Override
    protected void closed() {
        endMessage();
        parser.close();
    }
}
