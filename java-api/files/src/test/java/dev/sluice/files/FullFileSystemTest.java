package dev.sluice.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.calls.KqueueLibrary;
import dev.sluice.campaign.WatchedJvm;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.eventloop.HandleSet;
import dev.sluice.testing.Depth;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A small file system without space, which is mounted for a process of its own. */
@Tag(Depth.IN_MATRIX)
@EnabledOnOs(OS.LINUX)
class FullFileSystemTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String UNSHARE = "unshare";
    /** Arguments: the directory to mount at, and the command that runs then. */
    private static final String MOUNT =
            "mount -t tmpfs -o size=" + FullFileSystem.BYTES + " none \"$0\" && exec \"$@\"";

    @TempDir
    Path directory;

    @Test
    void writesFailByNameAndContinueWhenThereIsSpace() throws Exception {
        assumeTrue(Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(each -> Files.isExecutable(Path.of(each, UNSHARE))), "no unshare here");
        String mounted = Files.createDirectory(directory.resolve("mounted")).toString();
        assumeTrue(new ProcessBuilder(UNSHARE, "-rm", "mount", "-t", "tmpfs", "none", mounted)
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start()
                .onExit().get(1, TimeUnit.MINUTES).exitValue() == 0, "no right to mount a file system here");
        List<String> demultiplexers = HandleSet.usable(Mode.ASYNCHRONOUS).stream().map(HandleSet::demultiplexer)
                .toList();
        assertFalse(demultiplexers.isEmpty());
        List<String> options = new ArrayList<>(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m"));
        KqueueLibrary.file().ifPresent(file -> options.add("-D" + KqueueLibrary.PROPERTY + "=" + file));
        List<String> arguments = new ArrayList<>(demultiplexers);
        arguments.add(0, mounted);
        // The file system is gone with the process.
        try (WatchedJvm jvm = new WatchedJvm(PATIENCE, List.of(UNSHARE, "-rm", "sh", "-c", MOUNT, mounted), options,
                FullFileSystem.class, arguments)) {
            for (String each : demultiplexers) {
                assertEquals(each, jvm.line(), jvm::output);
            }
            jvm.awaitEnd();
        }
    }
}
