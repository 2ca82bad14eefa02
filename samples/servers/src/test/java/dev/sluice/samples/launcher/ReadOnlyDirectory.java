package dev.sluice.samples.launcher;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.samples.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A directory in which nothing can be made or removed, for as long as a test needs it. Permissions do not bind root, so
 * that for root the file system itself refuses. The test is skipped where it cannot.
 */
final class ReadOnlyDirectory implements AutoCloseable {

    private final Path path;

    ReadOnlyDirectory(Path path) throws IOException, InterruptedException {
        this.path = path;
        FakeTree.permit(path, "r-xr-xr-x");
        if (canBeWritten()) {
            change("+i");
        }
        if (canBeWritten()) {
            close();
            assumeTrue(false, "neither permissions nor chattr keep this user from writing to " + path);
        }
    }

    Path path() {
        return path;
    }

    private boolean canBeWritten() throws IOException {
        Path probe = path.resolve("probe");
        try {
            Files.createFile(probe);
        } catch (IOException e) {
            return false;
        }
        Files.delete(probe);
        return true;
    }

    private void change(String attribute) throws IOException, InterruptedException {
        if (Programs.has("chattr")) {
            new ProcessBuilder("chattr", attribute, path.toString()).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
        }
    }

    /** Makes the directory writable again, so that it can be deleted. */
    @Override
    public void close() throws IOException, InterruptedException {
        change("-i");
        FakeTree.permit(path, "rwxr-xr-x");
    }
}
