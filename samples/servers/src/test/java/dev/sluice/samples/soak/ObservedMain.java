package dev.sluice.samples.soak;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.calls.MemoryBlock;
import dev.sluice.samples.Main;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The samples' main, in a process that reports what it retains to each client of a port. */
public final class ObservedMain {

    /** System property with the file that the port to ask at is written to. */
    static final String PORT_FILE = "sluice.soak.port-file";

    private static final int VAIN_COLLECTIONS = 3;
    private static final long FOR_CLEANERS = TimeUnit.MILLISECONDS.toNanos(20);
    /** What looking takes itself. */
    private static final long LITTLE = 1024;

    private ObservedMain() {
    }

    public static void main(String[] arguments) throws IOException {
        String leak = System.getProperty(Leak.PROPERTY);
        if (leak != null) {
            Leak.valueOf(leak).install();
        }
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread observer = new Thread(() -> answer(socket), "observer");
        observer.setDaemon(true);
        observer.start();
        Path file = Path.of(System.getProperty(PORT_FILE));
        Path unfinished = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(unfinished, Integer.toString(socket.getLocalPort()));
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        Main.main(arguments);
    }

    private static void answer(ServerSocket socket) {
        while (true) {
            try (Socket asker = socket.accept(); OutputStream out = asker.getOutputStream()) {
                collect();
                out.write((heapBytes() + " " + MemoryBlock.openBytes() + " " + directBytes() + " "
                        + ManagementFactory.getThreadMXBean().getThreadCount()).getBytes(US_ASCII));
            } catch (IOException e) {
                System.err.println("observer: " + e);
            }
        }
    }

    /** Collects until several times nothing more is found: threads of their own free what belongs to dead objects. */
    private static void collect() {
        long minimum = Long.MAX_VALUE;
        for (int vain = 0; vain < VAIN_COLLECTIONS; vain++) {
            System.gc();
            LockSupport.parkNanos(FOR_CLEANERS);
            long used = heapBytes() + directBytes() + MemoryBlock.openBytes();
            if (used < minimum - LITTLE) {
                minimum = used;
                vain = 0;
            }
        }
    }

    private static long heapBytes() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
    }
}
