package dev.sluice.benchmarks.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.QueryBuilder;

/** The recipe {@code Index} on the directory that Lucene itself chooses, where an interrupt closes what is written. */
public final class LuceneIndex {

    private static final String LINE = "line";

    public static void main(String[] args) throws IOException {
        try (Directory directory = FSDirectory.open(Path.of(args[0]));
                Analyzer analyzer = new StandardAnalyzer()) {
            if (args.length == 1) {
                add(directory, analyzer);
            } else {
                String words = String.join(" ", List.of(args).subList(1, args.length));
                search(directory, new QueryBuilder(analyzer).createBooleanQuery(LINE, words));
            }
        }
    }

    private static void add(Directory directory, Analyzer analyzer) throws IOException {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
                IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(analyzer))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                Document document = new Document();
                document.add(new TextField(LINE, line, Store.YES));
                writer.addDocument(document);
            }
            writer.commit();
            System.out.println(writer.getDocStats().numDocs + " lines");
        }
    }

    private static void search(Directory directory, Query query) throws IOException {
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = new IndexSearcher(reader);
            StoredFields lines = reader.storedFields();
            ScoreDoc[] found = searcher.search(query == null ? new MatchNoDocsQuery() : query, 10).scoreDocs;
            for (ScoreDoc each : found) {
                lines.prefetch(each.doc);
            }
            for (ScoreDoc each : found) {
                System.out.println(lines.document(each.doc).get(LINE));
            }
        }
    }
}
