package dev.sluice.proactor;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A file system on a loop device, which a process has mounted in a mount namespace of its own. Both are gone when that
 * process ends, however it ends; this JVM sees the files through {@code /proc}.
 */
final class MountedLoopDevice implements AutoCloseable {

    private static final long IMAGE_BYTES = 400L << 20;

    /** Arguments: the type, the size of a sector, the image, the directory. */
    private static final String SCRIPT = """
            device=$(losetup --show -f -b "$2" "$3") || exit 3
            case $1 in ext4) force=-F ;; *) force=-f ;; esac
            if mkfs.$1 -q $force "$device" >/dev/null && mount -t $1 "$device" "$4"
            then echo mounted; fi
            # While it is mounted, this takes effect at its unmount.
            losetup -d "$device"
            cat
            """;

    private final Process holder;
    private final Path files;

    private MountedLoopDevice(Process holder, Path files) {
        this.holder = holder;
        this.files = files;
    }

    /**
     * Mounts a new file system. Skips the test where that is not possible.
     *
     * @param type      such as {@code xfs}
     * @param sector    the size of the sectors of the device, in bytes
     * @param directory an empty directory, for the image and to mount at
     * @return the file system; the caller closes it
     */
    static MountedLoopDevice mount(String type, int sector, Path directory) throws Exception {
        for (String program : new String[] {"unshare", "losetup", "mkfs." + type}) {
            assumeTrue(has(program), "no " + program + " here");
        }
        assumeTrue(Files.isWritable(Path.of("/dev/loop-control")), "no right to mount a file system here");
        Path image = directory.resolve("image");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(IMAGE_BYTES);
        }
        Path at = Files.createDirectory(directory.resolve("mounted"));
        Process holder = new ProcessBuilder("unshare", "-m", "sh", "-c", SCRIPT, "sh", type, String.valueOf(sector),
                image.toString(), at.toString()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        MountedLoopDevice mounted = new MountedLoopDevice(holder, Path.of("/proc/" + holder.pid() + "/root" + at));
        boolean isMounted = false;
        try {
            BufferedReader output = holder.inputReader();
            isMounted = "mounted".equals(output.readLine());
            assumeTrue(isMounted, "no right to mount a file system here");
            return mounted;
        } finally {
            if (!isMounted) {
                mounted.close();
            }
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

    @Override
    public void close() throws IOException {
        holder.getOutputStream().close();
        boolean interrupted = false;
        while (holder.isAlive()) {
            try {
                holder.waitFor();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
