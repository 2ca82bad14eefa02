package dev.sluice.benchmarks.load;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The files that web servers serve.
 *
 * @param directory the directory
 * @param sizes     of the files, in bytes: one of each
 */
public record Site(Path directory, List<Integer> sizes) {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String END_OF_HEAD = "\r\n\r\n";

    /**
     * Writes them.
     *
     * @param directory is made
     * @param sizes     of the files, in bytes
     * @return the site
     * @throws IOException if they cannot be written
     */
    public static Site write(Path directory, List<Integer> sizes) throws IOException {
        Files.createDirectories(directory);
        for (int size : sizes) {
            Files.write(directory.resolve(file(size)), content(size));
        }
        return new Site(directory, sizes);
    }

    /**
     * {@return the name of a file}
     *
     * @param size of the file, in bytes
     */
    public static String file(int size) {
        return size + ".bin";
    }

    /** {@return what is in the file of a size: the same wherever it is asked for} */
    static byte[] content(int size) {
        byte[] content = new byte[size];
        new SplittableRandom(size).nextBytes(content);
        return content;
    }

    /**
     * Asks a server for each file, and compares all bytes.
     *
     * @param name of the server, for messages
     * @param port of the server
     * @throws IOException if one is wrong
     */
    public void check(String name, int port) throws IOException {
        for (int size : sizes) {
            byte[] reply = get(port, "/" + file(size));
            String head = new String(reply, 0, Math.min(reply.length, reply.length - size + END_OF_HEAD.length()),
                    StandardCharsets.ISO_8859_1);
            int begin = head.indexOf(END_OF_HEAD) + END_OF_HEAD.length();
            boolean right = head.startsWith("HTTP/1.1 200 ")
                    && Arrays.equals(reply, begin, reply.length, content(size), 0, size);
            if (!right) {
                throw new IOException(name + " sends something else than the file of " + size + " bytes: "
                        + head.lines().findFirst().orElse("nothing"));
            }
        }
    }

    private static byte[] get(int port, String target) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) TIMEOUT.toMillis());
            String request = "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            ByteArrayOutputStream reply = new ByteArrayOutputStream();
            socket.getInputStream().transferTo(reply);
            return reply.toByteArray();
        }
    }
}
