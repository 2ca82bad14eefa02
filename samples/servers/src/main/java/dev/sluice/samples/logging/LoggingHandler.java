package dev.sluice.samples.logging;

import dev.sluice.connection.ServiceHandler;
import dev.sluice.handle.SocketStream;
import dev.sluice.reactor.Registration;
import dev.sluice.samples.lines.HttpLine;
import dev.sluice.samples.server.Connections;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The paper's Logging Handler: receives the records of one TCP connection. */
final class LoggingHandler extends ServiceHandler
        implements RecordSink, RecordCollector.Source, Connections.Finishing {

    private static final Logger LOG = LoggerFactory.getLogger(LoggingHandler.class);
    /** Buffers received in a row before other handlers get their turn. */
    private static final int FAIR_SHARE = 128;

    private final RecordCollector collector;
    private final Connections connections;
    private final ByteBuffer buffer;
    private final SyslogFramer framer;
    private boolean finishing;
    private boolean lost;
    /** Whether any record has begun with one, as all that are valid do. */
    private boolean hasPriorities;

    /**
     * Creates a handler.
     *
     * @param collector   of the records
     * @param connections of the server
     * @param buffer      to receive into, shared by all handlers of the loop, on the heap
     * @param maxRecord   in bytes
     */
    LoggingHandler(RecordCollector collector, Connections connections, ByteBuffer buffer, int maxRecord) {
        this.collector = collector;
        this.connections = connections;
        this.buffer = buffer;
        this.framer = new SyslogFramer(maxRecord);
    }

    @Override
    protected void open() throws IOException {
        collector.counts().connections++;
        collector.counts().open++;
        connections.add(this);
        collector.open(this);
    }

    @Override
    public void handleInput(Registration registration) throws IOException {
        for (int iteration = 0; iteration < FAIR_SHARE && !collector.isPaused(); iteration++) {
            int received = peer().receive(buffer.clear());
            if (received == SocketStream.END_OF_STREAM) {
                framer.end(this);
                end();
                return;
            }
            if (received == 0) {
                if (finishing) {
                    end();
                }
                return;
            }
            framer.append(buffer.flip(), this);
            if (lost) {
                end();
                return;
            }
            if (received < buffer.capacity() && !finishing) {
                return;
            }
        }
    }

    @Override
    public void pause() {
        registration().pause();
    }

    @Override
    public void resume() {
        registration().resume();
        if (finishing) {
            finish();
        }
    }

    @Override
    public void finish() {
        finishing = true;
        try {
            handleInput(registration());
        } catch (IOException e) {
            handleFailure(registration(), e);
            end();
        }
    }

    @Override
    public void end() {
        registration().close();
    }

    @Override
    public void record(byte[] array, int offset, int length) {
        if (lost) {
            return;
        }
        // Neither the first line nor a field of an HTTP request begins so.
        hasPriorities |= array[offset] == '<';
        if (!hasPriorities && HttpLine.isHttp(array, offset, length)) {
            framingError("this is HTTP");
            return;
        }
        collector.accept(peer(), array, offset, length);
    }

    @Override
    public void oversized(long length) {
        collector.counts().oversized++;
        collector.complain(peer(), "record of " + length + " bytes is longer than the maximum, skipped");
    }

    @Override
    public void truncated(long announced, long received) {
        collector.counts().truncated++;
        collector.complain(peer(), "record dropped, the connection ended "
                + (received == 0 && announced < 0 ? "inside its length" : "after " + received + " bytes"
                + (announced < 0 ? " without a newline" : " of " + announced)));
    }

    @Override
    public void framingError(String reason) {
        lost = true;
        collector.counts().framingErrors++;
        collector.complain(peer(), "closed, the start of the next record is unknown: " + reason);
    }

    @Override
    public void handleFailure(Registration registration, Throwable cause) {
        LOG.debug("{}", peer(), cause);
    }

    @Override
    public void handleClose(Registration registration) {
        framer.cut(this);
        peer().close();
        collector.counts().open--;
        collector.close(this);
        connections.remove(this);
    }
}
