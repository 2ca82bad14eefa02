package dev.sluice.lucene;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/** Documents of tests, with a field of each kind, and what searches find of them. */
final class Books {

    static final int DIMENSIONS = 24;

    private static final int WORDS = 50;
    private static final int WORDS_OF_A_BOOK = 60;

    private Books() {
    }

    static Document book(int number) {
        Random random = new Random(number);
        String text = random.ints(WORDS_OF_A_BOOK, 0, WORDS).mapToObj(word -> "word" + word)
                .collect(Collectors.joining(" "));
        Document book = new Document();
        book.add(new StringField("number", Integer.toString(number), Field.Store.YES));
        book.add(new TextField("text", text, Field.Store.YES));
        book.add(new IntPoint("point", number));
        book.add(new NumericDocValuesField("rank", random.nextInt()));
        book.add(new StoredField("bytes", bytes(number)));
        book.add(new KnnFloatVectorField("vector", vector(number)));
        return book;
    }

    private static byte[] bytes(int number) {
        byte[] bytes = new byte[200];
        new Random(number).nextBytes(bytes);
        return bytes;
    }

    static float[] vector(int number) {
        Random random = new Random(number);
        float[] vector = new float[DIMENSIONS];
        for (int i = 0; i < DIMENSIONS; i++) {
            vector[i] = random.nextFloat();
        }
        return vector;
    }

    /** Writes books in several segments, and commits them. */
    static void write(Directory directory, int from, int to, boolean compound) throws IOException {
        IndexWriterConfig config = new IndexWriterConfig().setUseCompoundFile(compound).setMaxBufferedDocs(100);
        config.getMergePolicy().setNoCFSRatio(compound ? 1 : 0);
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            for (int number = from; number < to; number++) {
                writer.addDocument(book(number));
            }
        }
    }

    /** {@return what some searches find, with what is stored of it} */
    static List<String> find(Directory directory) throws IOException {
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = new IndexSearcher(reader);
            List<String> found = new ArrayList<>();
            found.add("documents: " + reader.numDocs());
            for (int word = 0; word < WORDS; word += 7) {
                Query query = new TermQuery(new Term("text", "word" + word));
                found.add(query + ": " + searcher.count(query));
                add(found, reader, searcher.search(query, 5,
                        new Sort(new SortField("rank", SortField.Type.INT))).scoreDocs);
            }
            found.add("points: " + searcher.count(IntPoint.newRangeQuery("point", 10, 30)));
            add(found, reader, searcher.search(new KnnFloatVectorQuery("vector", vector(3), 5), 5).scoreDocs);
            return found;
        }
    }

    private static void add(List<String> found, DirectoryReader reader, ScoreDoc[] hits) throws IOException {
        StoredFields stored = reader.storedFields();
        for (ScoreDoc hit : hits) {
            stored.prefetch(hit.doc);
        }
        for (ScoreDoc hit : hits) {
            requireStored(stored.document(hit.doc));
        }
        found.add(IntStream.range(0, hits.length).mapToObj(i -> Integer.toString(hits[i].doc))
                .collect(Collectors.joining(" ")));
    }

    /** Compares what is stored of a book with what was written. */
    static void requireStored(Document book) {
        int number = Integer.parseInt(book.get("number"));
        if (!book(number).get("text").equals(book.get("text"))
                || !book.getBinaryValue("bytes").bytesEquals(new BytesRef(bytes(number)))) {
            throw new AssertionError("not as it was written: " + book);
        }
    }

    /** {@return whether the check of Lucene finds nothing wrong} */
    static boolean isClean(Directory directory) throws IOException {
        try (CheckIndex check = new CheckIndex(directory)) {
            check.setInfoStream(new PrintStream(OutputStream.nullOutputStream()));
            return check.checkIndex().clean;
        }
    }
}
