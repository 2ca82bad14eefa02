package dev.sluice.proactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A loop device that a process holds open, and possibly a file system on it, which the process has mounted in a mount
 * namespace of its own. Both are gone when that process ends, unless it is killed in the moment between the two calls
 * that set up the device and release it; this JVM sees the files through {@code /proc}.
 */
final class LoopDevice implements AutoCloseable {

    /** The size of the device. */
    static final long BYTES = 400L << 20;

    private static final String NO_FILE_SYSTEM = "none";
    private static final int PATIENCE_SECONDS = 60;
    /** What the programs say if the process has no right to mount, or the kernel lacks the file system. */
    private static final Pattern MISSING = Pattern.compile(
            "Operation not permitted|[Pp]ermission denied|must be superuser|unknown filesystem type");

    /** Arguments: the type or none, the size of a sector, the image, the directory. Prints the path of the device. */
    private static final String SCRIPT = """
            PATH=$PATH:/usr/sbin:/sbin
            # The device stays until it is released, so nothing may end this before.
            trap '' INT TERM HUP
            device=$(losetup --show -f -b "$2" "$3") || exit 1
            # While it is open or mounted, this takes effect at the last close or the unmount.
            exec 3<"$device"
            losetup -d "$device"
            trap - INT TERM HUP
            if [ $1 != none ]; then
                case $1 in ext4) force=-F ;; *) force=-f ;; esac
                mkfs.$1 -q $force "$device" >/dev/null && mount -t $1 "$device" "$4" || exit 1
                exec 3<&-
            fi
            echo "$device"
            cat
            """;

    private final Process holder;
    private final Path image;
    private final Path files;
    /** Null until the process has set it up. */
    private Path device;

    private LoopDevice(Process holder, Path image, Path files) {
        this.holder = holder;
        this.image = image;
        this.files = files;
    }

    /**
     * Mounts a new file system. Skips the test without the programs, the right to do it, or the file system.
     *
     * @param type      such as {@code xfs}
     * @param sector    the size of the sectors of the device, in bytes
     * @param directory an empty directory, for the image and to mount at
     * @return the device with the file system; the caller closes it
     */
    static LoopDevice mount(String type, int sector, Path directory) throws Exception {
        assumeTrue(has("mkfs." + type), "no mkfs." + type + " here");
        return open(type, sector, directory);
    }

    /**
     * Sets up a device without a file system. Skips the test without the programs, or the right to do it.
     *
     * @param sector    the size of the sectors of the device, in bytes
     * @param directory an empty directory, for the image
     * @return the device, which is full of zeros; the caller closes it
     */
    static LoopDevice attach(int sector, Path directory) throws Exception {
        return open(NO_FILE_SYSTEM, sector, directory);
    }

    private static LoopDevice open(String type, int sector, Path directory) throws Exception {
        for (String program : new String[] {"unshare", "losetup"}) {
            assumeTrue(has(program), "no " + program + " here");
        }
        assumeTrue(Files.isWritable(Path.of("/dev/loop-control")), "no right to mount a file system here");
        Path image = directory.resolve("image");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(BYTES);
        }
        Path at = Files.createDirectory(directory.resolve("mounted"));
        Path errors = directory.resolve("errors");
        ProcessBuilder command = new ProcessBuilder("unshare", "-m", "sh", "-c", SCRIPT, "sh", type,
                String.valueOf(sector), image.toString(), at.toString()).redirectError(errors.toFile());
        command.environment().put("LC_ALL", "C");
        Process holder = command.start();
        LoopDevice opened = new LoopDevice(holder, image, Path.of("/proc/" + holder.pid() + "/root" + at));
        boolean isOpen = false;
        try {
            String device = firstLine(holder);
            isOpen = device != null;
            String failure = Files.readString(errors);
            assumeTrue(isOpen || !MISSING.matcher(failure).find(), "no right to mount this file system here");
            assertTrue(isOpen, failure);
            opened.device = Path.of(device);
            return opened;
        } finally {
            if (!isOpen) {
                opened.close();
            }
        }
    }

    private static String firstLine(Process holder) throws Exception {
        BufferedReader output = holder.inputReader();
        CompletableFuture<String> line = CompletableFuture.supplyAsync(() -> {
            try {
                return output.readLine();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try {
            return line.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            holder.destroyForcibly();
            throw e;
        }
    }

    private static boolean has(String program) {
        return Stream.of((System.getenv("PATH") + ":/usr/sbin:/sbin").split(":"))
                .anyMatch(each -> Files.isExecutable(Path.of(each, program)));
    }

    /** {@return a file in the root of the file system} */
    Path resolve(String name) {
        return files.resolve(name);
    }

    /** {@return the free space of the file system in bytes, when all that was written is on the device} */
    long freeBytes() throws Exception {
        assertEquals(0, new ProcessBuilder("sync", "-f", files.toString()).inheritIO().start().waitFor());
        long free = files.toFile().getFreeSpace();
        assertTrue(free > 0, "the system does not say how much space is free");
        return free;
    }

    /** {@return the device, for all processes} */
    Path device() {
        return device;
    }

    /** {@return the file with the content of the device} */
    Path image() {
        return image;
    }

    @Override
    public void close() throws IOException {
        holder.getOutputStream().close();
        boolean interrupted = false;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (holder.isAlive()) {
            if (System.nanoTime() - end > 0) {
                holder.destroyForcibly();
                throw new IOException("the process that holds the device of " + image + " does not end");
            }
            try {
                holder.waitFor(1, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
