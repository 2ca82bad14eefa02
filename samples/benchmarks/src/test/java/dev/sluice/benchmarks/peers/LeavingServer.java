package dev.sluice.benchmarks.peers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;

/** Announces a port, and leaves a temporary file. */
public final class LeavingServer {

    static final String LEFT = "left-";

    private LeavingServer() {
    }

    /**
     * Waits until the process ends.
     *
     * @param arguments none
     * @throws IOException          if the file cannot be created
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Files.createTempFile(LEFT, ".test");
        Announcement.print("leaving", new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
        Thread.currentThread().join();
    }
}
