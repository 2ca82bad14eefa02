package dev.sluice.benchmarks.seda.sockets;

import dev.sluice.benchmarks.load.BurstTally;
import dev.sluice.benchmarks.peers.Announcement;
import dev.sluice.proactor.Proactor;
import dev.sluice.stages.EnqueueResult;
import dev.sluice.stages.EventBatch;
import dev.sluice.stages.EventQueue;
import dev.sluice.stages.Stage;
import dev.sluice.stages.StageGraph;
import dev.sluice.stages.StageHandler;
import dev.sluice.stages.StageOptions;
import dev.sluice.stages.io.AsyncConnection;
import dev.sluice.stages.io.AsyncServerSocket;
import dev.sluice.stages.io.ConnectionClosed;
import dev.sluice.stages.io.EndOfInput;
import dev.sluice.stages.io.Packet;
import dev.sluice.stages.io.SocketEvent;
import dev.sluice.stages.io.SocketOptions;
import dev.sluice.stages.io.SocketStages;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/** Acknowledges bursts in a stage of its own, behind the socket stages, on a thread of its own or by direct calls. */
public final class StageServer {

    static final String OWN_THREAD = "own-thread";
    static final String DIRECT = "direct";
    static final String LENT = "lent";
    static final String COPIED = "copied";

    private static final String NAME = "bursts";

    private StageServer() {
    }

    /**
     * Serves until the process ends.
     *
     * @param arguments the bytes of a burst, who runs the application's stage, and what packets are
     * @throws IOException if it cannot accept
     */
    public static void main(String[] arguments) throws IOException {
        try (Proactor proactor = Proactor.open(); StageGraph graph = new StageGraph("sockets")) {
            SocketOptions socketOptions = new SocketOptions();
            if (arguments[2].equals(LENT)) {
                socketOptions.zeroCopyPackets();
            }
            SocketStages sockets = new SocketStages(graph, "sockets", proactor, socketOptions);
            StageOptions<SocketEvent> options = new StageOptions<>();
            if (arguments[1].equals(DIRECT)) {
                options.direct();
            }
            Bursts bursts = new Bursts(Long.parseLong(arguments[0]));
            Stage<SocketEvent> stage = graph.add(NAME, SocketEvent.class, bursts, options);
            // Not looked up, as that would make an edge from the stage to itself: it only says where packets are to go.
            bursts.own = stage.queue();
            AsyncServerSocket server = new AsyncServerSocket(sockets, new InetSocketAddress("127.0.0.1", 0),
                    stage.queue());
            graph.start();
            Announcement.print("stages", server.localAddress());
            proactor.run();
        }
    }

    /** The application: it has one thread at a time. */
    private static final class Bursts implements StageHandler<SocketEvent> {

        private final Map<AsyncConnection, BurstTally> tallies = new HashMap<>();
        private final long burst;
        private EventQueue<SocketEvent> own;

        Bursts(long burst) {
            this.burst = burst;
        }

        @Override
        public void handleEvents(EventBatch<SocketEvent> batch) throws IOException {
            for (SocketEvent event = batch.next(); event != null; event = batch.next()) {
                if (event instanceof Packet packet) {
                    received(packet);
                } else if (event instanceof AsyncConnection connection) {
                    tallies.put(connection, new BurstTally(burst));
                    connection.startReading(own);
                } else if (event instanceof EndOfInput end) {
                    acknowledge(end.connection());
                    end.connection().closeAfterSending();
                } else if (event instanceof ConnectionClosed closed) {
                    tallies.remove(closed.connection());
                }
            }
        }

        private void received(Packet packet) throws IOException {
            BurstTally tally = tallies.get(packet.connection());
            while (packet.bytes().hasRemaining()) {
                if (tally.take(packet.bytes())) {
                    acknowledge(packet.connection());
                }
            }
        }

        private void acknowledge(AsyncConnection connection) throws IOException {
            EnqueueResult outcome = connection.send(tallies.get(connection).acknowledgement());
            if (outcome != EnqueueResult.ACCEPTED) {
                throw new IOException("an acknowledgement on " + connection + " is " + outcome);
            }
        }

        @Override
        public boolean isExclusive() {
            return true;
        }
    }
}
