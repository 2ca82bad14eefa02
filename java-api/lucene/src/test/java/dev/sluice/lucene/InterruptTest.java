package dev.sluice.lucene;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.files.FileLoop;
import dev.sluice.handle.LeakChecked;
import dev.sluice.testing.Depth;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.NativeFSLockFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Threads that are interrupted at random under load: with our directory, and with one of Lucene's that it closes. */
@Tag(Depth.REPEATED)
class InterruptTest extends LeakChecked {

    private static final int BOOKS = 200;
    private static final int THREADS = 3;
    private static final int SEARCHES = Depth.times(20, 40, 1000, 5000);
    /** Far more than a directory needs whose files an interrupt closes. */
    private static final int UNTIL_IT_FAILS = 100_000;

    @TempDir
    Path path;

    private FileLoop loop;

    @BeforeEach
    void openLoop() throws IOException {
        loop = FileLoop.open();
    }

    @AfterEach
    void closeLoop() {
        loop.close();
    }

    static Stream<TestedDirectory> ways(TestInfo test) {
        return Depth.first(test, Stream.of(TestedDirectory.values()), 1);
    }

    /** Searchers of one reader, which another thread interrupts until they have ended. */
    private static final class Load {

        private final DirectoryReader reader;
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final AtomicInteger interrupts = new AtomicInteger();

        Load(DirectoryReader reader) {
            this.reader = reader;
        }

        Throwable run(int searches) throws InterruptedException {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int seed = i;
                threads.add(new Thread(() -> search(searches, new Random(seed)), "searcher-" + i));
            }
            threads.forEach(Thread::start);
            Random random = new Random(THREADS);
            while (threads.stream().anyMatch(Thread::isAlive)) {
                threads.get(random.nextInt(THREADS)).interrupt();
                LockSupport.parkNanos(20_000);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            return failure.get();
        }

        private void search(int searches, Random random) {
            try {
                IndexSearcher searcher = new IndexSearcher(reader);
                for (int i = 0; i < searches && failure.get() == null; i++) {
                    if (i % 4 == 0) {
                        // Also if the thread that interrupts gets no processor meanwhile.
                        Thread.currentThread().interrupt();
                    }
                    ScoreDoc[] hits = searcher.search(new TermQuery(new Term("text", "word" + random.nextInt(50))), 5)
                            .scoreDocs;
                    StoredFields stored = reader.storedFields();
                    for (ScoreDoc hit : hits) {
                        stored.prefetch(hit.doc);
                    }
                    for (ScoreDoc hit : hits) {
                        Books.requireStored(stored.document(hit.doc));
                    }
                    if (Thread.interrupted()) {
                        interrupts.incrementAndGet();
                    }
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void interruptedSearchersReadOn(TestedDirectory way) throws Exception {
        try (Directory directory = way.open(path, loop, 16)) {
            Books.write(directory, 0, BOOKS, false);
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                Load load = new Load(reader);
                assertNull(load.run(SEARCHES));
                assertTrue(load.interrupts.get() > SEARCHES / 10, () -> load.interrupts + " interrupts");
            }
            assertTrue(Books.isClean(directory));
        }
    }

    @Test
    void interruptedSearchersLoseTheFilesOfANioFsDirectory() throws Exception {
        try (Directory directory = new NIOFSDirectory(path)) {
            Books.write(directory, 0, BOOKS, false);
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                Throwable failure = new Load(reader).run(UNTIL_IT_FAILS);
                assertNotNull(failure);
                assertInstanceOf(ClosedChannelException.class, root(failure));
                // And for all others, which were not interrupted.
                Throwable next = assertThrows(IOException.class, () -> searchAll(reader));
                assertInstanceOf(ClosedChannelException.class, root(next));
            }
        }
    }

    private static void searchAll(DirectoryReader reader) throws IOException {
        IndexSearcher searcher = new IndexSearcher(reader);
        for (int word = 0; word < 50; word++) {
            searcher.search(new TermQuery(new Term("text", "word" + word)), BOOKS);
        }
        StoredFields stored = reader.storedFields();
        for (int i = 0; i < reader.maxDoc(); i++) {
            Books.requireStored(stored.document(i));
        }
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    @Test
    void aWriterThatIsInterruptedCommits() throws Exception {
        try (Directory directory = TestedDirectory.DEFAULT.open(path, loop, 16)) {
            try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
                for (int number = 0; number < 5; number++) {
                    commitInterrupted(writer, Books.book(number));
                }
            }
            assertTrue(Books.isClean(directory));
            assertEquals("documents: 5", Books.find(directory).get(0));
        }
    }

    @Test
    void aWriterThatIsInterruptedLosesANioFsDirectory() throws Exception {
        try (Directory directory = new NIOFSDirectory(path); IndexWriter writer = new IndexWriter(directory,
                new IndexWriterConfig())) {
            assertThrows(Exception.class, () -> commitInterrupted(writer, Books.book(0)));
            assertNotNull(writer.getTragicException());
        }
    }

    private static void commitInterrupted(IndexWriter writer, Document book) throws IOException {
        Thread.currentThread().interrupt();
        boolean isStillInterrupted;
        try {
            writer.addDocument(book);
            writer.commit();
        } finally {
            isStillInterrupted = Thread.interrupted();
        }
        assertTrue(isStillInterrupted);
    }

    @Test
    void anInterruptedThreadHoldsItsLock() throws Exception {
        try (Directory directory = TestedDirectory.DEFAULT.open(path, loop, 0);
                Directory sameWithOtherLocks = new NIOFSDirectory(path, NativeFSLockFactory.INSTANCE)) {
            try (Lock lock = directory.obtainLock("lock")) {
                Thread.currentThread().interrupt();
                try {
                    lock.ensureValid();
                    assertThrows(IOException.class, () -> directory.obtainLock("lock"));
                } finally {
                    assertTrue(Thread.interrupted());
                }
                lock.ensureValid();
                assertThrows(IOException.class, () -> sameWithOtherLocks.obtainLock("lock"));
            }
            try (Lock lock = sameWithOtherLocks.obtainLock("lock")) {
                lock.ensureValid();
                assertThrows(IOException.class, () -> directory.obtainLock("lock"));
            }
        }
    }

    @Test
    void anInterruptedThreadOpensAndReads() throws Exception {
        for (TestedDirectory way : TestedDirectory.values()) {
            try (Directory directory = way.open(path.resolve(way.name()), loop, 16)) {
                Books.write(directory, 0, 10, true);
                Thread.currentThread().interrupt();
                try {
                    assertEquals("documents: 10", Books.find(directory).get(0));
                } finally {
                    assertTrue(Thread.interrupted());
                }
            }
        }
    }
}
