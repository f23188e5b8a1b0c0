package io.multimed.engine.embedded.h2;

import io.multimed.engine.embedded.spi.TableName;
import org.h2.mvstore.MVMap;
import org.h2.result.SearchRow;
import org.h2.value.VersionedValue;

/**
 * A table of the Master whose changes are captured.
 *
 * @param table its name in write sets
 * @param rows the map of its rows
 */
record H2MasterTable(TableName table, MVMap<Long, VersionedValue<SearchRow>> rows) {}
