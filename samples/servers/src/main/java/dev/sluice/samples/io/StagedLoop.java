package dev.sluice.samples.io;

import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.proactor.Proactor;
import dev.sluice.samples.server.Connections;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.io.AsyncConnection;
import dev.sluice.stages.io.ConnectionClosed;
import dev.sluice.stages.io.EndOfInput;
import dev.sluice.stages.io.FileCompletion;
import dev.sluice.stages.io.FileStage;
import dev.sluice.stages.io.Packet;
import dev.sluice.stages.io.PacketSent;
import dev.sluice.stages.io.SocketEvent;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The shared state of a staged server's connections. Stages pass it the events of its connections; the server decides
 * which stage gets which events. May be used by any thread.
 */
public final class StagedLoop extends ProtocolLoop {

    private final Proactor proactor;
    private final FileStage files;
    private final EventQueue<Object> results;
    private final SendOrder order;
    private final Map<AsyncConnection, StagedHandler> handlers = new ConcurrentHashMap<>();

    /**
     * Begins without connections.
     *
     * @param protocol    is spoken
     * @param log         of the requests; null for none
     * @param connections of the proactor
     * @param proactor    that the socket stages are on
     * @param files       reads files that are sent piece by piece
     * @param results     takes the results of sends and reads, to be passed to this object again
     * @param bySize      whether long messages wait for each other, those with least left to send first
     */
    public StagedLoop(Protocol protocol, AccessLog log, Connections connections, Proactor proactor, FileStage files,
                      EventQueue<Object> results, boolean bySize) {
        super(protocol, log, null, connections, proactor);
        this.proactor = proactor;
        this.files = files;
        this.results = results;
        this.order = bySize ? new SendOrder(proactor) : null;
    }

    Proactor proactor() {
        return proactor;
    }

    FileStage files() {
        return files;
    }

    EventQueue<Object> results() {
        return results;
    }

    /** {@return the order of long messages; null if each is sent as soon as it can be} */
    SendOrder order() {
        return order;
    }

    /**
     * Begins with a connection.
     *
     * @param connection the connection
     * @param events     for all that comes on it, to be passed to this object again, in order
     */
    public void open(AsyncConnection connection, EventQueue<? super SocketEvent> events) {
        try {
            connection.stream().setOption(NativeSocketOptions.TCP_NODELAY, true);
            StagedHandler handler = new StagedHandler(this, connection, newHandler(connection.stream()));
            handlers.put(connection, handler);
            connections().add(handler);
            connection.startReading(events, StagedHandler.PACKETS_AT_ONCE);
        } catch (IOException | RuntimeException | Error e) {
            logFailure(connection.stream().handle(), e);
            // If it has a handler by then, the last event removes that.
            connection.close();
        }
    }

    void closed(AsyncConnection connection, StagedHandler handler) {
        handlers.remove(connection);
        connections().remove(handler);
    }

    /**
     * Takes an event of a connection.
     *
     * @param event any but a connection itself
     */
    public void handle(SocketEvent event) {
        if (event instanceof Packet packet) {
            of(packet.connection()).received(packet.bytes());
        } else if (event instanceof EndOfInput end) {
            of(end.connection()).inputEnded();
        } else if (event instanceof PacketSent sent) {
            ((StagedHandler) sent.token()).sent(sent.cause());
        } else if (event instanceof ConnectionClosed closed) {
            StagedHandler handler = of(closed.connection());
            // None if it could not be begun with.
            if (handler != null) {
                handler.gone(closed.cause());
            }
        }
    }

    /**
     * Ends what connections hold that were not finished when the stages were stopped, such as the part of an upload:
     * their last events are dropped. To be called after that.
     */
    public void abandon() {
        handlers.values().forEach(StagedHandler::abandon);
    }

    private StagedHandler of(AsyncConnection connection) {
        return handlers.get(connection);
    }

    /**
     * Takes the result of a read.
     *
     * @param completion of a file that a connection has opened
     */
    public void handle(FileCompletion completion) {
        if (completion.token() instanceof StagedHandler handler) {
            handler.read(completion);
        }
    }
}
