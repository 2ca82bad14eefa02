package dev.sluice.benchmarks.lucene;

import dev.sluice.handle.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.lucene103.Lucene103Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * An index with a stored text and a vector for each document, which both follow from its number. It has one segment,
 * and each document keeps its number there.
 *
 * @param path      its folder
 * @param documents their number
 */
record SearchedIndex(Path path, int documents) {

    static final String TEXT = "text";
    static final String VECTOR = "vector";
    static final int DIMENSIONS = 1024;
    static final int VECTOR_BYTES = DIMENSIONS * Float.BYTES;

    /** The mean of the bytes of a text, and approximately what the default codec makes of them. */
    private static final int TEXT_BYTES = 8 * 1024;
    private static final int COMPRESSED_BYTES = 3 * 1024;
    private static final int FEWER_BYTES = 2 * 1024;
    /** Spreads consecutive numbers; of the result, 12 bits are used. */
    private static final int SPREAD = 0x9E3779B9;
    private static final int SHIFT = 20;
    /** A text has what differs, as the values of a record do, after what does not, as the names of its fields. */
    private static final byte[] NAME = "\", \"a field of the record\": \"".getBytes(StandardCharsets.US_ASCII);
    private static final int VALUE_BYTES = 12;
    /** Of vectors that are nearer to each other than to the rest. */
    private static final int CLUSTERS = 64;
    /** Documents that are written from the heap at once. */
    private static final int BUFFERED = 16_384;
    private static final String MADE = "documents";

    /** {@return an index of about this size, in bytes, in a folder that is named after the number of documents} */
    static SearchedIndex ofSize(Path directory, long bytes) {
        int documents = (int) Math.max(1, bytes / (COMPRESSED_BYTES + VECTOR_BYTES));
        return new SearchedIndex(directory.resolve("lucene-index-" + documents), documents);
    }

    /** {@return whether the index has been written to its end} */
    boolean isThere() throws IOException {
        if (!Files.isDirectory(path)) {
            return false;
        }
        try (Directory directory = FSDirectory.open(path)) {
            if (!DirectoryReader.indexExists(directory)) {
                return false;
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                return Integer.toString(documents).equals(reader.getIndexCommit().getUserData().get(MADE));
            }
        }
    }

    /** Writes the index, and overwrites what an interrupted run has left. */
    void write() throws IOException {
        IndexWriterConfig config = new IndexWriterConfig().setOpenMode(IndexWriterConfig.OpenMode.CREATE)
                .setUseCompoundFile(false).setMaxBufferedDocs(BUFFERED)
                .setRAMBufferSizeMB(IndexWriterConfig.DISABLE_AUTO_FLUSH)
                // Merges what is side by side, and so leaves the order as it is.
                .setMergePolicy(new LogDocMergePolicy()).setMergeScheduler(new SerialMergeScheduler())
                .setCodec(new Lucene103Codec() {
                    @Override
                    public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
                        return new RescoredVectorsFormat();
                    }
                });
        config.getMergePolicy().setNoCFSRatio(0);
        try (Directory directory = FSDirectory.open(path); IndexWriter writer = new IndexWriter(directory, config)) {
            for (int i = 0; i < documents; i++) {
                Document document = new Document();
                document.add(new StoredField(TEXT, text(i)));
                document.add(new KnnFloatVectorField(VECTOR, vector(i), VectorSimilarityFunction.EUCLIDEAN));
                writer.addDocument(document);
            }
            writer.forceMerge(1);
            writer.setLiveCommitData(Map.of(MADE, Integer.toString(documents)).entrySet());
            writer.commit();
        }
    }

    /** {@return the length of the text of a document, from 6 to 10 KiB} */
    static int textBytes(int document) {
        return TEXT_BYTES - FEWER_BYTES + (document * SPREAD >>> SHIFT);
    }

    /** {@return the text of a document} */
    static byte[] text(int document) {
        byte[] text = new byte[textBytes(document)];
        new SplittableRandom(document).nextBytes(text);
        for (int at = VALUE_BYTES; at + NAME.length <= text.length; at += NAME.length + VALUE_BYTES) {
            System.arraycopy(NAME, 0, text, at, NAME.length);
        }
        ByteBuffer.wrap(text).putInt(0, document);
        return text;
    }

    /** {@return the vector of a document} */
    static float[] vector(int document) {
        float[] vector = new float[DIMENSIONS];
        add(new SplittableRandom(-1 - document % CLUSTERS), 1, vector);
        add(new SplittableRandom(document), 0.5F, vector);
        return vector;
    }

    /** Adds numbers from 0 to a maximum to the elements of a vector. */
    static void add(SplittableRandom random, float max, float[] vector) {
        for (int i = 0; i < vector.length; i += 2) {
            long bits = random.nextLong();
            vector[i] += max * ((bits & 0xFFFFFF) / (float) 0x1000000);
            vector[i + 1] += max * ((bits >>> 40) / (float) 0x1000000);
        }
    }

    /** {@return the bytes of the files whose names end like this} */
    long size(String extension) throws IOException {
        long size = 0;
        for (Path each : files()) {
            if (each.toString().endsWith(extension)) {
                size += Files.size(each);
            }
        }
        return size;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> list = Files.list(path)) {
            return list.toList();
        }
    }

    /** Drops the index from the system's cache. */
    void evict() throws IOException {
        for (Path each : files()) {
            try (FileHandle file = FileHandle.open(each)) {
                file.evict(0, Math.max(1, file.size()));
            }
        }
    }
}
