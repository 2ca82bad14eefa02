package dev.sluice.samples.haboob;

import dev.sluice.samples.io.StagedLoop;
import dev.sluice.samples.web.Exchange;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.io.FileCompletion;
import dev.sluice.stages.io.SocketEvent;

/**
 * The paper's HttpSend: sends replies that have been made. The result of a send, or of reading a piece of a file that
 * is being sent, comes here too, and the connection proceeds.
 */
final class HttpSend implements StageHandler<Object> {

    private StagedLoop connections;

    /** Called before the graph is started. */
    void serve(StagedLoop loop) {
        connections = loop;
    }

    @Override
    public void handleEvents(EventBatch<Object> batch) {
        for (Object event = batch.next(); event != null; event = batch.next()) {
            if (event instanceof Exchange exchange) {
                exchange.made();
            } else if (event instanceof SocketEvent sent) {
                connections.handle(sent);
            } else {
                connections.handle((FileCompletion) event);
            }
        }
    }

    @Override
    public String toString() {
        return StageName.HTTP_SEND;
    }
}
