package dev.sluice.campaign.faults;

import dev.sluice.calls.Platform;
import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.handle.DirectoryHandle;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.FileOption;
import dev.sluice.handle.Handle;
import dev.sluice.proactor.AsyncFile;
import dev.sluice.proactor.Proactor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Opens files in all ways, and creates, changes and removes names, one step after the other. */
final class NameScenario extends Actor {

    private static final Path ONE = Path.of("one");
    private static final Path TWO = Path.of("two");
    private static final long SPACE = 8192;

    private final Proactor proactor;
    private final Path path;
    private final DirectoryHandle directory;
    private AsyncFile file;
    private int step;
    private boolean over;
    private boolean done;

    private NameScenario(Ledger ledger, Proactor proactor, Path path, DirectoryHandle directory) {
        super(ledger);
        this.proactor = proactor;
        this.path = path;
        this.directory = directory;
    }

    /** {@return the scenario, on systems with directories in which names are looked up} */
    static Stream<Scenario> here() {
        return Platform.CURRENT.os() == Platform.Os.WINDOWS ? Stream.of()
                : Stream.of(new Scenario("proactor-names", Mode.ASYNCHRONOUS, NameScenario::play));
    }

    private static void play(Stage stage) throws IOException {
        Path path = stage.file("names");
        remove(path);
        Files.createDirectory(path);
        DirectoryHandle directory = stage.own(DirectoryHandle.open(path));
        NameScenario scenario = new NameScenario(stage.ledger(), stage.proactor(), path, directory);
        stage.own(scenario::close);
        scenario.next();
        stage.until("the last step", () -> scenario.over);
        stage.idle();
        stage.require("all steps succeed", scenario.done);
        try (Stream<Path> left = Files.list(path)) {
            if (scenario.done && left.findAny().isPresent()) {
                stage.ledger().problem("a name is left");
            }
        }
    }

    private static void remove(Path path) throws IOException {
        if (Files.exists(path)) {
            List<Path> all;
            try (Stream<Path> walk = Files.walk(path)) {
                all = walk.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path each : all) {
                Files.delete(each);
            }
        }
    }

    private void next() throws IOException {
        switch (step++) {
            case 0 -> start("open a file that loses its name", token -> proactor.openFile(this, token,
                    path.resolve(ONE), StandardOpenOption.READ, StandardOpenOption.WRITE,
                    StandardOpenOption.CREATE_NEW, StandardOpenOption.DELETE_ON_CLOSE));
            case 1 -> start("allocate", token -> file.allocate(0, SPACE, token));
            case 2 -> start("write back", token -> file.writeBack(0, SPACE, token));
            case 3 -> start("prefetch", token -> file.prefetch(0, SPACE, token));
            case 4 -> start("read the attributes", file::status);
            case 5 -> start("truncate", token -> file.truncate(SPACE / 2, token));
            case 6 -> start("copy", token -> file.copyTo(0, SPACE / 2, file.file(), SPACE / 2, token));
            case 7 -> start("lock", token -> file.lock(0, SPACE, false, token));
            case 8 -> start("close", file::close);
            case 9 -> start("open in the directory", token -> proactor.openFile(this, token, directory, ONE,
                    Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)));
            case 10 -> start("open beneath the directory", token -> proactor.openFile(this, token, directory, ONE,
                    Set.of(StandardOpenOption.READ, FileOption.BENEATH)));
            case 11 -> start("rename", token -> proactor.rename(this, token, directory, ONE, TWO));
            case 12 -> start("link", token -> proactor.link(this, token, directory, TWO, ONE));
            case 13 -> start("exchange", token -> proactor.exchange(this, token, directory, ONE, TWO));
            case 14 -> start("delete", token -> proactor.delete(this, token, directory, TWO));
            case 15 -> start("create a directory", token -> proactor.createDirectory(this, token, directory, TWO));
            case 16 -> start("read the attributes of a name", token -> proactor.status(this, token, directory, TWO));
            case 17 -> start("delete the directory", token -> proactor.deleteDirectory(this, token, directory, TWO));
            case 18 -> start("delete the other", token -> proactor.delete(this, token, directory, ONE));
            case 19 -> start("force the directory", token -> proactor.forceDirectory(this, token, directory));
            default -> {
                done = true;
                over = true;
            }
        }
    }

    @Override
    void completed(Completion completion) throws IOException {
        // A close has closed the descriptor even if it fails (close(2)).
        if (!completion.isSuccess() && completion.type() != OperationType.CLOSE) {
            over = true;
            return;
        }
        FileHandle opened = completion.file();
        if (opened != null && file != null) {
            opened.close();
        } else if (opened != null) {
            try {
                file = new AsyncFile(proactor, opened, this);
            } catch (Throwable e) {
                over = true;
                opened.close();
                throw e;
            }
        }
        next();
    }

    @Override
    public void handleFailure(Handle handle, Throwable cause) {
        over = true;
        super.handleFailure(handle, cause);
    }

    private void close() {
        if (file != null) {
            file.close();
        }
    }
}
