package dev.sluice.samples.oltp.bank;

import dev.sluice.samples.server.FileProblem;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;

/** A bank in a directory on the disk. Thread-safe; the methods wait for the disk, and for each other's threads. */
public final class Bank implements Closeable {

    private static final int READERS = 4;

    private final FileChannel lock;
    private final Database database;
    private final BankSize size;
    private final Ledger ledger;
    private final GroupCommit commits;
    private final BlockingQueue<AccountReader> readers = new ArrayBlockingQueue<>(READERS);
    private final Semaphore summing = new Semaphore(1);

    private Bank(FileChannel lock, Database database, BankSize sizeIfNew) throws SQLException {
        this.lock = lock;
        this.database = database;
        Connection connection = database.openWriter();
        try {
            if (!Schema.exists(connection)) {
                Schema.create(connection, sizeIfNew);
            }
            size = Schema.size(connection);
            // Ends the transaction of these looks: it would keep the log from being carried over into the tables.
            connection.commit();
            ledger = new Ledger(connection, size);
            commits = new GroupCommit(ledger);
            for (int i = 0; i < READERS; i++) {
                readers.add(new AccountReader(database.openReader()));
            }
        } catch (SQLException | RuntimeException e) {
            connection.close();
            for (AccountReader reader : readers) {
                reader.close();
            }
            throw e;
        }
    }

    /**
     * Opens the bank in a directory, and founds it if there is none.
     *
     * @param directory made if it is missing; used by this bank alone
     * @param sizeIfNew how large to make it if there is none; {@link #size()} tells how large it is
     * @return the bank
     * @throws IOException if another process has it open, or the disk or the database refuses
     */
    public static Bank open(Path directory, BankSize sizeIfNew) throws IOException {
        FileChannel lock = null;
        try {
            Files.createDirectories(directory);
            lock = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!isTaken(lock)) {
                throw new IOException("it is open in another process");
            }
            return new Bank(lock, new Database(directory), sizeIfNew);
        } catch (IOException | SQLException e) {
            if (lock != null) {
                lock.close();
            }
            throw new IOException("bank in " + directory + ": " + FileProblem.describe(e), e);
        }
    }

    private static boolean isTaken(FileChannel channel) throws IOException {
        try {
            FileLock taken = channel.tryLock();
            return taken != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /** {@return how large it is} */
    public BankSize size() {
        return size;
    }

    /** {@return what it has done since it was opened} */
    public BankCounts counts() {
        return ledger.counts();
    }

    /**
     * Makes deposits, in their order. When it returns each of them is made and on the disk, or refused, and tells
     * which.
     *
     * @param deposits left alone by the caller meanwhile
     */
    public void deposit(List<Deposit> deposits) {
        commits.post(deposits);
    }

    /**
     * Whether there is such an account.
     *
     * @param account any number
     * @return whether it is one's
     */
    public boolean hasAccount(long account) {
        return account >= 0 && account < size.accounts();
    }

    /**
     * Reads the balance of an account: all deposits that were made before the call.
     *
     * @param account the account
     * @return its balance
     * @throws IllegalArgumentException if there is no such account
     * @throws IOException              if the database fails
     */
    public long balance(long account) throws IOException {
        if (!hasAccount(account)) {
            throw new IllegalArgumentException("there is no account " + account);
        }
        return read(reader -> reader.balance(account));
    }

    /**
     * Sums up all branches, at one moment. Looks at every account and at the whole history, which may take long, so it
     * is done for one caller at a time.
     *
     * @return the branches in order
     * @throws IOException if the database fails, or it is being done for another caller
     */
    public List<BranchTotals> totals() throws IOException {
        // No thread waits for the sum: waiting threads would be missing for deposits.
        if (!summing.tryAcquire()) {
            throw new IOException("another request is computing the branch totals: try again later");
        }
        try {
            return read(AccountReader::totals);
        } finally {
            summing.release();
        }
    }

    @FunctionalInterface
    private interface Reading<T> {
        T from(AccountReader reader) throws SQLException;
    }

    private <T> T read(Reading<T> reading) throws IOException {
        AccountReader reader = borrow();
        try {
            return reading.from(reader);
        } catch (SQLException e) {
            throw new IOException(database + ": " + e.getMessage(), e);
        } finally {
            readers.add(reader);
        }
    }

    private AccountReader borrow() throws IOException {
        try {
            return readers.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while all readers of " + database + " were busy", e);
        }
    }

    /** Waits for the calls that are under way, and closes. No call may follow but that of {@link #deposit}. */
    @Override
    public void close() throws IOException {
        commits.close();
        try (lock) {
            for (int i = 0; i < READERS; i++) {
                borrow().close();
            }
            ledger.close();
        } catch (SQLException e) {
            throw new IOException(database + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return "bank in " + database;
    }
}
