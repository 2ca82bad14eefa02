package dev.sluice.benchmarks.lucene;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.lucene.codecs.lucene95.HasIndexSlice;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.VectorUtil;

/**
 * Searches the vectors nearest to a given one in a graph of quantized vectors, and scores the best of them again by
 * their full vectors: prefetches all of those, and then reads each.
 */
public final class VectorsWorkload extends SearchWorkload {

    /** The vectors that are scored again for a query. */
    static final int CANDIDATES = 100;
    /** A vector is read by one read. */
    private static final int BUFFER = 2 * SearchedIndex.VECTOR_BYTES;
    private static final float DISTANCE = 0.1F;

    private final IndexSearcher searcher;

    /**
     * Opens the index.
     *
     * @param arguments see {@link SearchWorkload#arguments}
     * @throws IOException if that fails
     */
    public VectorsWorkload(List<String> arguments) throws IOException {
        super(Questions.VECTORS, BUFFER, arguments);
        searcher = new IndexSearcher(reader());
        // Random queries are not repeated.
        searcher.setQueryCache(null);
    }

    @Override
    void query(SplittableRandom random, boolean checked) throws IOException {
        float[] target = SearchedIndex.vector(random.nextInt(reader().maxDoc()));
        SearchedIndex.add(random, DISTANCE, target);
        ScoreDoc[] candidates = searcher.search(
                new KnnFloatVectorQuery(SearchedIndex.VECTOR, target, CANDIDATES), CANDIDATES).scoreDocs;
        LeafReader leaf = reader().leaves().get(0).reader();
        FloatVectorValues vectors = leaf.getFloatVectorValues(SearchedIndex.VECTOR);
        IndexInput input = ((HasIndexSlice) vectors).getSlice();
        for (ScoreDoc each : candidates) {
            // Each document has a vector, so the numbers of vectors are those of documents.
            input.prefetch((long) each.doc * SearchedIndex.VECTOR_BYTES, SearchedIndex.VECTOR_BYTES);
        }
        float best = Float.POSITIVE_INFINITY;
        int nearest = -1;
        for (ScoreDoc each : candidates) {
            float distance = VectorUtil.squareDistance(target, vectors.vectorValue(each.doc));
            if (distance < best) {
                best = distance;
                nearest = each.doc;
            }
        }
        if (nearest < 0 || checked
                && !Arrays.equals(vectors.vectorValue(nearest), SearchedIndex.vector(nearest))) {
            throw new IOException("of " + candidates.length + " candidates document " + nearest
                    + " has another vector");
        }
    }
}
