package dev.sluice.benchmarks.lucene;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Counts what is read from disks since the counter was made, on Linux. */
final class DiskReads {

    private static final Path OF_PROCESS = Path.of("/proc/self/io");
    private static final String BYTES = "read_bytes: ";
    private static final Path DEVICES = Path.of("/sys/block");

    private final long bytesBefore;
    private final long readsBefore;

    /**
     * Begins.
     *
     * @throws IOException if it {@linkplain #areCounted cannot be counted} here
     */
    DiskReads() throws IOException {
        bytesBefore = bytesOfProcess();
        readsBefore = readsOfDisks();
    }

    /** {@return whether the system counts reads} */
    static boolean areCounted() {
        return Files.isReadable(OF_PROCESS) && Files.isDirectory(DEVICES);
    }

    /** {@return the bytes that this process has read from disks, ahead as well, by the page cache or past it} */
    long bytes() throws IOException {
        return bytesOfProcess() - bytesBefore;
    }

    /** {@return the number of reads that disks have completed for all processes, as the kernel has merged them} */
    long requests() throws IOException {
        return readsOfDisks() - readsBefore;
    }

    private static long bytesOfProcess() throws IOException {
        for (String line : Files.readAllLines(OF_PROCESS)) {
            if (line.startsWith(BYTES)) {
                return Long.parseLong(line.substring(BYTES.length()));
            }
        }
        throw new IOException(OF_PROCESS + " has no line " + BYTES);
    }

    private static long readsOfDisks() throws IOException {
        long reads = 0;
        try (DirectoryStream<Path> devices = Files.newDirectoryStream(DEVICES)) {
            for (Path each : devices) {
                // Others are memory, or consist of disks, which are counted themselves.
                if (Files.exists(each.resolve("device"))) {
                    reads += Long.parseLong(Files.readString(each.resolve("stat")).strip().split(" +")[0]);
                }
            }
        }
        return reads;
    }
}
