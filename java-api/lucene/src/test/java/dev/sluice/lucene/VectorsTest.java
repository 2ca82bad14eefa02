package dev.sluice.lucene;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.files.FileLoop;
import dev.sluice.handle.LeakChecked;
import dev.sluice.testing.Depth;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.lucene.codecs.hnsw.FlatVectorScorerUtil;
import org.apache.lucene.codecs.hnsw.FlatVectorsScorer;
import org.apache.lucene.codecs.lucene95.HasIndexSlice;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FileDataHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.apache.lucene.util.VectorUtil;
import org.apache.lucene.util.hnsw.RandomVectorScorer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Vectors that Lucene scores in mapped memory. */
class VectorsTest extends LeakChecked {

    private static final int BOOKS = 40;
    /** The newest Java whose incubating vectors this version of Lucene uses. */
    private static final int NEWEST_KNOWN = 25;
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    @TempDir
    Path path;

    private FileLoop loop;
    private SluiceDirectory directory;

    @BeforeEach
    void open() throws IOException {
        loop = FileLoop.open();
        directory = TestedDirectory.DEFAULT.open(path, loop, 4);
    }

    @AfterEach
    void close() throws IOException {
        directory.close();
        loop.close();
    }

    private static FloatVectorValues vectors(DirectoryReader reader) throws IOException {
        LeafReaderContext leaf = reader.leaves().get(0);
        return leaf.reader().getFloatVectorValues("vector");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void vectorsAreInMemoryInACompoundFileToo(boolean compound) throws IOException {
        Books.write(directory, 0, BOOKS, compound);
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            FloatVectorValues vectors = vectors(reader);
            IndexInput slice = assertInstanceOf(HasIndexSlice.class, vectors).getSlice();
            MemorySegmentAccessInput input = assertInstanceOf(MemorySegmentAccessInput.class, slice);
            assertEquals((long) BOOKS * Books.DIMENSIONS * Float.BYTES, input.length());
            MemorySegment memory = input.segmentSliceOrNull(0, input.length());
            for (int i = 0; i < BOOKS; i++) {
                float[] expected = Books.vector(i);
                float[] found = new float[Books.DIMENSIONS];
                MemorySegment.copy(memory, FLOAT, (long) i * Books.DIMENSIONS * Float.BYTES,
                        found, 0, Books.DIMENSIONS);
                assertArrayEquals(expected, found);
                assertArrayEquals(expected, vectors.vectorValue(i));
            }
        }
    }

    @Test
    @Tag(Depth.OPTIMIZED)
    @Tag(Depth.IN_MATRIX)
    void luceneScoresThemWithItsScorerForMemorySegments() throws IOException {
        FlatVectorsScorer scorers = FlatVectorScorerUtil.getLucene99FlatVectorsScorer();
        boolean hasThem = scorers.toString().contains("MemorySegment");
        assumeTrue(hasThem || Runtime.version().feature() <= NEWEST_KNOWN, () -> "this Lucene has no scorers for Java "
                + Runtime.version().feature());
        assertTrue(hasThem, () -> "this Lucene has none here: " + scorers);
        Books.write(directory, 0, BOOKS, true);
        float[] query = Books.vector(BOOKS);
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            FloatVectorValues vectors = vectors(reader);
            RandomVectorScorer scorer = scorers.getRandomVectorScorer(VectorSimilarityFunction.EUCLIDEAN, vectors,
                    query);
            assertTrue(scorer.getClass().getName().contains("MemorySegment"), () -> scorer.getClass().getName());
            for (int i = 0; i < BOOKS; i++) {
                assertEquals(1 / (1 + VectorUtil.squareDistance(query, Books.vector(i))), scorer.score(i), 1e-5);
            }
        }
        // What is not mapped gets the other scorer.
        directory.setMapped((name, context) -> false);
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            RandomVectorScorer scorer = scorers.getRandomVectorScorer(VectorSimilarityFunction.EUCLIDEAN,
                    vectors(reader), query);
            assertFalse(scorer.getClass().getName().contains("MemorySegment"), () -> scorer.getClass().getName());
        }
    }

    @Test
    void mapsWhatTheHintOrTheNameSays() throws IOException {
        for (String name : new String[] {"_0.vec", "_0.dat"}) {
            directory.createOutput(name, IOContext.DEFAULT).close();
        }
        IOContext hinted = IOContext.DEFAULT.withHints(FileDataHint.KNN_VECTORS);
        requireMapped(true, "_0.vec", IOContext.DEFAULT);
        requireMapped(true, "_0.vec", IOContext.READONCE);
        requireMapped(false, "_0.dat", IOContext.DEFAULT);
        requireMapped(true, "_0.dat", hinted);
        directory.setMapped((name, context) -> false);
        requireMapped(false, "_0.vec", hinted);
        assertThrows(NullPointerException.class, () -> directory.setMapped(null));
        assertThrows(NullPointerException.class, () -> directory.setDirect(null));
    }

    private void requireMapped(boolean expected, String name, IOContext context) throws IOException {
        try (IndexInput input = directory.openInput(name, context)) {
            assertEquals(expected, input instanceof MemorySegmentAccessInput, name);
            assertEquals(0, input.length());
            assertThrows(EOFException.class, input::readByte);
        }
    }

    @Test
    void memoryIsUnmappedWithItsFile() throws IOException {
        byte[] content = new byte[100_000];
        new Random(5).nextBytes(content);
        try (IndexOutput output = directory.createOutput("file", IOContext.DEFAULT)) {
            output.writeBytes(content, content.length);
        }
        IndexInput input = directory.openInput("file", IOContext.DEFAULT);
        IOContext hinted = IOContext.DEFAULT.withHints(FileDataHint.KNN_VECTORS);
        assertThrows(IllegalArgumentException.class, () -> input.slice("part", 99_000, 1001, hinted));
        IndexInput inner = input.slice("part", 1000, 50_000);
        IndexInput part = inner.slice("part", 200, 5000, hinted);
        MemorySegmentAccessInput other = (MemorySegmentAccessInput) input.slice("_0.vec", 0, 100_000, hinted);
        byte[] read = new byte[5000];
        part.readBytes(read, 0, 5000);
        assertArrayEquals(Arrays.copyOfRange(content, 1200, 6200), read);
        assertThrows(EOFException.class, part::readByte);
        part.prefetch(0, 5000);
        MemorySegment memory = other.segmentSliceOrNull(0, 100_000);
        assertEquals(content[99_999], memory.get(ValueLayout.JAVA_BYTE, 99_999));
        input.close();
        input.close();
        assertFalse(memory.scope().isAlive());
        part.seek(0);
        assertThrows(AlreadyClosedException.class, part::readByte);
        assertThrows(AlreadyClosedException.class, () -> input.slice("part", 0, 100, hinted));
    }

    @Test
    void aCompoundFileUnmapsItsParts() throws IOException {
        Books.write(directory, 0, BOOKS, true);
        DirectoryReader reader = DirectoryReader.open((Directory) directory);
        IndexInput slice = ((HasIndexSlice) vectors(reader)).getSlice();
        reader.close();
        slice.seek(0);
        assertThrows(AlreadyClosedException.class, slice::readByte);
    }
}
