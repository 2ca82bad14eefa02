package dev.sluice.campaign.faults;

import dev.sluice.demultiplexer.Completion;
import dev.sluice.demultiplexer.Mechanism.Mode;
import dev.sluice.demultiplexer.OperationType;
import dev.sluice.demultiplexer.operation.CachedTransfers;
import dev.sluice.handle.Bytes;
import dev.sluice.handle.FileHandle;
import dev.sluice.handle.Handle;
import dev.sluice.handle.LockableMemory;
import dev.sluice.proactor.AsyncFile;
import dev.sluice.proactor.Proactor;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;

/**
 * Writes a file and reads it again, in several buffers and then in memory that is registered with the system, one step
 * after the other.
 */
final class TransferScenario extends Actor {

    static final Scenario SCENARIO = new Scenario("proactor-transfers", Mode.ASYNCHRONOUS, TransferScenario::play);

    /** More than a loop thread copies itself, so that the demultiplexer executes each transfer. */
    private static final int SIZE = CachedTransfers.DEFAULT_BYTES + 100_000;
    private static final byte[] CONTENT = Bytes.random(SIZE);

    private final Proactor proactor;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(SIZE);
    /** Two parts of the memory; a transfer with several buffers does not use its registration. */
    private final ByteBuffer[] parts = new ByteBuffer[2];
    private AsyncFile file;
    private Closeable registration;
    private long registeredBytes;
    private int step;
    private boolean over;
    private boolean done;

    private TransferScenario(Ledger ledger, Proactor proactor) {
        super(ledger);
        this.proactor = proactor;
    }

    private static void play(Stage stage) throws IOException {
        Files.deleteIfExists(stage.file("transfers"));
        TransferScenario scenario = new TransferScenario(stage.ledger(), stage.proactor());
        stage.own(scenario::close);
        scenario.open(stage);
        stage.until("the last step", () -> scenario.over);
        stage.idle();
        stage.require("all steps succeed", scenario.done);
        stage.require("the memory is registered", scenario.registeredBytes == SIZE
                || !LockableMemory.isEnoughFor(scenario.proactor.demultiplexer()));
    }

    private void open(Stage stage) throws IOException {
        start("open", token -> proactor.openFile(this, token, stage.file("transfers"), StandardOpenOption.READ,
                StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW));
    }

    private void next() throws IOException {
        switch (step++) {
            case 0 -> {
                memory.clear().put(CONTENT);
                divide();
                start("write two buffers", token -> file.write(parts, 0, 2, 0, token));
            }
            case 1 -> {
                clear();
                divide();
                readParts();
            }
            case 2 -> {
                check();
                registration = proactor.registerBuffer(memory);
                divide();
                start("write and force two buffers", token -> file.writeAndForceData(parts, 0, 2, 0, token));
            }
            // The loop has registered the memory in the meantime.
            case 3 -> start("write registered memory", token -> file.write(memory, SIZE, token));
            case 4 -> {
                registeredBytes = proactor.registeredBytes();
                clear();
                readMemory();
            }
            case 5 -> {
                check();
                start("write and force registered memory",
                        token -> file.writeAndForceData(memory.clear(), SIZE, token));
            }
            case 6 -> {
                registration.close();
                start("close", file::close);
            }
            default -> {
                done = true;
                over = true;
            }
        }
    }

    /** Makes the two parts begin at their beginning. */
    private void divide() {
        parts[0] = memory.slice(0, SIZE / 3);
        parts[1] = memory.slice(SIZE / 3, SIZE - SIZE / 3);
    }

    private void clear() {
        memory.clear().put(new byte[SIZE]).clear();
    }

    /** Compares the memory with what was written, and makes all of it remain. */
    private void check() {
        if (!memory.clear().equals(ByteBuffer.wrap(CONTENT))) {
            ledger().problem("other bytes are read, in step " + step);
        }
    }

    private void readParts() throws IOException {
        int read = parts[0].position() + parts[1].position();
        start("read into two buffers", token -> file.read(parts, 0, 2, read, token));
    }

    private void readMemory() throws IOException {
        start("read into registered memory", token -> file.read(memory, SIZE + (long) memory.position(), token));
    }

    @Override
    void completed(Completion completion) throws IOException {
        // A close has closed the descriptor even if it fails (close(2)).
        if (!completion.isSuccess() && completion.type() != OperationType.CLOSE) {
            over = true;
        } else if (completion.type() == OperationType.OPEN) {
            opened(completion.file());
        } else if (completion.type() == OperationType.READ && completion.isEndOfStream()) {
            ledger().problem("the file ends, in step " + step);
            over = true;
        } else if (completion.type() == OperationType.READ && registration == null && parts[1].hasRemaining()) {
            readParts();
        } else if (completion.type() == OperationType.READ && registration != null && memory.hasRemaining()) {
            readMemory();
        } else {
            next();
        }
    }

    private void opened(FileHandle opened) throws IOException {
        try {
            file = new AsyncFile(proactor, opened, this);
        } catch (Throwable e) {
            over = true;
            opened.close();
            throw e;
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
