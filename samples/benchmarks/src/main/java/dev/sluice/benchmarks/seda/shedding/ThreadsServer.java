package dev.sluice.benchmarks.seda.shedding;

import dev.sluice.benchmarks.peers.Announcement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Makes the same page as Haboob's bottleneck in a pool of threads, each of which serves a connection to its end, as
 * Apache's processes do. All others wait until they are accepted.
 */
public final class ThreadsServer {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final byte[] HEAD = ("HTTP/1.1 200 OK\r\nContent-Length: " + SheddingTrial.SIZE + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket socket;
    private final Path file;
    private final long cost;

    private ThreadsServer(ServerSocket socket, Path file, Duration cost) {
        this.socket = socket;
        this.file = file;
        this.cost = cost.toNanos();
    }

    /**
     * Serves until the process ends.
     *
     * @param arguments how many threads there are, how many connections may wait, what a page costs in milliseconds,
     *                  and a file that is read for it
     * @throws IOException if it cannot accept
     */
    public static void main(String[] arguments) throws IOException {
        ServerSocket socket = new ServerSocket(0, Integer.parseInt(arguments[1]), InetAddress.getLoopbackAddress());
        ThreadsServer server = new ThreadsServer(socket, Path.of(arguments[3]),
                Duration.ofMillis(Long.parseLong(arguments[2])));
        for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
            Thread.ofPlatform().name("pool " + i).start(server::accept);
        }
        Announcement.print("threads", socket.getLocalSocketAddress());
    }

    private void accept() {
        while (true) {
            try (Socket client = socket.accept()) {
                client.setTcpNoDelay(true);
                serve(client);
            } catch (IOException e) {
                // This client has left, which it knows.
            }
        }
    }

    private void serve(Socket client) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(),
                StandardCharsets.US_ASCII));
        OutputStream out = client.getOutputStream();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.isEmpty()) {
                byte[] page = page();
                out.write(HEAD);
                out.write(page);
            }
        }
    }

    private byte[] page() throws IOException {
        long end = now() + cost;
        byte[] octets;
        long sum = 0;
        do {
            octets = Files.readAllBytes(file);
            for (byte octet : octets) {
                sum += octet;
            }
        } while (now() < end);
        octets[0] = (byte) sum;
        return octets;
    }

    private static long now() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }
}
