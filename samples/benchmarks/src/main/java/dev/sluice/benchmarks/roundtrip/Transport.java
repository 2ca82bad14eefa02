package dev.sluice.benchmarks.roundtrip;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** How messages travel. */
public enum Transport {

    /** A connection over loopback. */
    TCP("TCP"),
    /** A connection of the Unix domain. */
    UNIX("Unix"),
    /** Datagrams over loopback. */
    UDP("UDP");

    private final String title;

    Transport(String title) {
        this.title = title;
    }

    /** {@return its name in the report} */
    String title() {
        return title;
    }

    /** The address of the server, and the directory to delete after it. */
    record Place(SocketAddress address, Path directory) implements Closeable {

        @Override
        public void close() throws IOException {
            if (address instanceof UnixDomainSocketAddress unix) {
                Files.deleteIfExists(unix.getPath());
                Files.delete(directory);
            }
        }
    }

    /**
     * Finds a place for a server.
     *
     * @return the caller closes it when the server has ended
     * @throws IOException if there is none
     */
    Place place() throws IOException {
        if (this != UNIX) {
            return new Place(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null);
        }
        Path directory = Files.createTempDirectory("sluice");
        return new Place(UnixDomainSocketAddress.of(directory.resolve("echo")), directory);
    }
}
