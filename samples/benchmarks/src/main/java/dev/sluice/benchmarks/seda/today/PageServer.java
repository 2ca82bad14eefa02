package dev.sluice.benchmarks.seda.today;

import dev.sluice.benchmarks.peers.Announcement;
import dev.sluice.samples.haboob.Bottleneck;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;

/** Serves the page of Haboob's bottleneck with a virtual thread for each connection, which blocks. */
public final class PageServer {

    private static final byte[] HEAD = ("HTTP/1.1 200 OK\r\nContent-Length: " + Bottleneck.SIZE + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REFUSAL = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket socket;
    private final Gate gate;
    /** Fewer than the system allows descriptors, as a page needs one, too. */
    private final Semaphore connections;

    private PageServer(ServerSocket socket, Gate gate, int connections) {
        this.socket = socket;
        this.gate = gate;
        this.connections = new Semaphore(connections);
    }

    /**
     * {@return what {@link #main} takes}
     *
     * @param kind        how pages are let in
     * @param work        what a page takes, with rounds
     * @param limit       how many are made at a time, at most
     * @param target      for the response time
     * @param connections how many there are at a time, at most; further ones wait to be accepted
     */
    static String[] arguments(GateKind kind, Bottleneck.Work work, int limit, Duration target, int connections) {
        return new String[] {kind.name(), Integer.toString(work.rounds()), Long.toString(work.pause().toMillis()),
            Integer.toString(limit), Long.toString(target.toMillis()), Integer.toString(connections)};
    }

    /**
     * Serves until the process ends.
     *
     * @param arguments as from {@link #arguments}
     * @throws IOException          if it cannot accept
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<Integer> numbers = List.of(arguments).subList(1, arguments.length).stream().map(Integer::valueOf)
                .toList();
        ServerSocket socket = new ServerSocket(0, Announcement.BACKLOG, InetAddress.getLoopbackAddress());
        try (Bottleneck page = new Bottleneck(new Bottleneck.Work(Duration.ZERO, numbers.get(0),
                Duration.ofMillis(numbers.get(1))))) {
            try (Gate gate = GateKind.valueOf(arguments[0]).gate(page::page, numbers.get(2),
                    Duration.ofMillis(numbers.get(3)))) {
                Announcement.print("pages", socket.getLocalSocketAddress());
                new PageServer(socket, gate, numbers.get(4)).accept();
            }
        }
    }

    private void accept() throws IOException, InterruptedException {
        while (true) {
            connections.acquire();
            Socket client = socket.accept();
            Thread.ofVirtual().start(() -> {
                try {
                    serve(client);
                } finally {
                    connections.release();
                }
            });
        }
    }

    private void serve(Socket client) {
        try (client) {
            client.setTcpNoDelay(true);
            BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(),
                    StandardCharsets.US_ASCII));
            OutputStream out = client.getOutputStream();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.isEmpty()) {
                    answer(out);
                }
            }
        } catch (IOException e) {
            // This client has left, which it knows.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void answer(OutputStream out) throws IOException, InterruptedException {
        byte[] page = gate.page();
        if (page == null) {
            out.write(REFUSAL);
        } else {
            out.write(HEAD);
            out.write(page);
        }
    }
}
