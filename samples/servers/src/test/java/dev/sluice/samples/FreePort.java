package dev.sluice.samples;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Ports for programs that need the number of their port before they listen. No such port is one that the system itself
 * gives to sockets, or another test that runs at the same time might get it first; and each JVM that runs tests has its
 * own share of the others, also beside those of another module or build: a file for each share names its process. On a
 * machine where the system gives away all of them, a socket that does not listen keeps a port for the program, which
 * binds to it as a server does, with {@code SO_REUSEADDR}.
 */
public final class FreePort {

    private static final Path SYSTEM_RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    /** The range of the IANA, which other systems use. */
    private static final String USUAL_RANGE = "49152 65535";
    private static final int UNPRIVILEGED = 1024;
    private static final int PORTS = 65_536;
    /** The number of JVMs that may run tests at the same time. */
    private static final int SHARES = 64;
    private static final Path OWNERS = Path.of(System.getProperty("java.io.tmpdir"),
            "sluice-test-ports-" + System.getProperty("user.name"));

    private static FreePort ofThisJvm;

    /** The ports of this share that have not been returned, in random order: their last users may not be gone. */
    private final Deque<Integer> share;
    private final List<Socket> kept = new ArrayList<>();

    /**
     * Takes a share of the ports that the system does not give to sockets.
     *
     * @param range  the first and the last port that it does, as in {@code /proc}
     * @param number the number of the share
     */
    FreePort(String range, int number) {
        String[] limits = range.trim().split("\\s+");
        int first = Integer.parseInt(limits[0]);
        int last = Integer.parseInt(limits[1]);
        List<Integer> ports = IntStream.range(UNPRIVILEGED, PORTS).filter(port -> port < first || port > last)
                .filter(port -> port % SHARES == number).boxed().collect(Collectors.toList());
        Collections.shuffle(ports);
        share = new ArrayDeque<>(ports);
    }

    /** {@return a port that no socket has on the loopback address, and that has not been returned before} */
    public static int find() throws IOException {
        synchronized (FreePort.class) {
            if (ofThisJvm == null) {
                ofThisJvm = new FreePort(systemRange(), takeShare(OWNERS));
            }
            return ofThisJvm.take();
        }
    }

    /**
     * Takes the first share that no running process has, until this one ends. Keeps no file open, which would look like
     * a leak of the test that has asked for the first port.
     *
     * @param owners the folder with a file for each share, in which the number of the process stands that has it
     * @return its number
     */
    static synchronized int takeShare(Path owners) throws IOException {
        Files.createDirectories(owners);
        try (FileChannel file = FileChannel.open(owners.resolve("lock"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE); FileLock one = file.lock()) {
            assert one.isValid();
            for (int number = 0; number < SHARES; number++) {
                Path owner = owners.resolve(Integer.toString(number));
                if (!isOwned(owner)) {
                    Files.writeString(owner, Long.toString(ProcessHandle.current().pid()));
                    owner.toFile().deleteOnExit();
                    return number;
                }
            }
        }
        throw new IOException(SHARES + " processes have all shares of the ports: " + owners);
    }

    private static boolean isOwned(Path owner) throws IOException {
        return Files.exists(owner) && ProcessHandle.of(Long.parseLong(Files.readString(owner))).isPresent();
    }

    private static String systemRange() throws IOException {
        if (Files.notExists(SYSTEM_RANGE)) {
            return USUAL_RANGE;
        }
        // In one read with a large buffer: a second read of such a file finds its end.
        try (BufferedReader reader = Files.newBufferedReader(SYSTEM_RANGE)) {
            return reader.readLine();
        }
    }

    /** {@return the loopback address with such a port} */
    public static InetSocketAddress address() throws IOException {
        return new InetSocketAddress("127.0.0.1", find());
    }

    /** {@return the next port of the share that is free, or a port that a socket keeps} */
    int take() throws IOException {
        while (!share.isEmpty()) {
            int port = share.pop();
            if (isFree(port)) {
                return port;
            }
        }
        Socket keeper = new Socket();
        keeper.setReuseAddress(true);
        keeper.bind(new InetSocketAddress("127.0.0.1", 0));
        kept.add(keeper);
        return keeper.getLocalPort();
    }

    private static boolean isFree(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.isBound();
        } catch (BindException e) {
            return false;
        }
    }
}
